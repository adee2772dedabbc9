//! How fast the tables are made and positions are searched, in CPU time.

use spielleiter_engine::clock::{Meter, thread_cpu_seconds};
use spielleiter_engine::hase_und_igel::limits::Limits;
use spielleiter_engine::hase_und_igel::notation::{format_move, parse_position};
use spielleiter_engine::hase_und_igel::searcher::Searcher;

use crate::arguments::Arguments;
use crate::nets::take_net;

const TABLE_MEGABYTES: usize = 32;
/// The start, the middle and the end of some game.
const POSITIONS: [&str; 4] = [
    "SH12CCHCCHLICCHI21CICCL2ICC2CHICH21HCI2HCCLIC1HCC2ICCH2CILCCH1CHG 0 0,68,5,TEHF,- 0,68,5,TEHF,-",
    "SH1HCHCCC2LICHCI2C1ICCL2ICC2HCIC1CH2HI2HCCLI2HC1CCICCC2HILCHHC1CG 14 21,27,4,EH,A8 20,6,5,EH,A3",
    "S1HCCHCHC2LIHCCI12CI2CLCICC2CHI21CHCHI2CHCLICC2HC1I2CHCCIL1CCHCHG 33 44,21,4,F,X-10 37,105,2,H,F",
    "SCCCCCCCCCLICCCICCCICCLCICCCCCICCCCCCICCCCLIC2HCC2IH1HCCILCHCHCCG 50 44,180,1,TE,A4 50,200,0,H,F",
];

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let net = take_net(&mut arguments, "net")?;
    let nodes = arguments.take_or("nodes", 200_000)?;
    arguments.finish()?;
    let mut searcher = Searcher::new(TABLE_MEGABYTES, net);
    for text in POSITIONS {
        let (board, position) = parse_position(text)?;
        let start = thread_cpu_seconds();
        searcher.prepare(&board);
        let prepared = thread_cpu_seconds();
        let limits = Limits { seconds: None, nodes: Some(nodes) };
        let lines = searcher.think(&board, position, (limits, Meter::Cpu), 1, &mut |_, _| true);
        let seconds = thread_cpu_seconds() - prepared;
        println!(
            "turn {:2}: tables {:4.1} ms, {:5.2} million positions a second, depth {:2}, {} ({})",
            position.turn,
            1000.0 * (prepared - start),
            searcher.nodes as f64 / seconds / 1e6,
            searcher.depth,
            format_move(lines[0].play),
            lines[0].worth,
        );
    }
    Ok(())
}
