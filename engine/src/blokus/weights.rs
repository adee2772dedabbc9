//! The weights that the crate brings along. `engine-tool train` makes them from self-play.

use std::sync::{Arc, LazyLock};

use super::net::Net;
use super::priors::Priors;

static NET: LazyLock<Arc<Net>> = LazyLock::new(|| {
    let net = Net::read(include_bytes!("../../weights/value.bin"));
    Arc::new(net.expect("the weights of the crate are tested"))
});

static PRIORS: LazyLock<Arc<Priors>> = LazyLock::new(|| {
    let priors = Priors::read(include_bytes!("../../weights/priors.bin"));
    Arc::new(priors.expect("the weights of the crate are tested"))
});

/// Returns the value net of the crate.
pub fn net() -> Arc<Net> {
    NET.clone()
}

/// Returns the priors of the crate.
pub fn priors() -> Arc<Priors> {
    PRIORS.clone()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_weights_of_the_crate_can_be_read() {
        assert!(super::net().first.outputs > 0);
        assert_eq!(super::priors().phases.len(), super::super::priors::PHASES);
    }
}
