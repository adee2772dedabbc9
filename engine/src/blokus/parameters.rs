//! Every number that the search can be tuned by, in one place.
//!
//! Values are our own and meant to be measured against each other in paired matches.

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $value:expr;)*) => {
        /// The numbers that the search can be tuned by.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Parameters {
            $($(#[$doc])* pub $name: f32,)*
        }

        impl Default for Parameters {
            fn default() -> Self {
                Parameters { $($name: $value,)* }
            }
        }

        impl Parameters {
            /// All names, in order.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];

            /// Sets a parameter by its name. Returns whether there is one of this name.
            pub fn set(&mut self, name: &str, value: f32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return false,
                }
                true
            }

            /// Returns a parameter by its name.
            pub fn get(&self, name: &str) -> Option<f32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

parameters! {
    /// How much a child's prior draws visits: base, and growth with the logarithm of the visits.
    explore = 0.45;
    explore_growth = 0.22;
    /// The exponent that makes priors flatter (below 1) or sharper.
    prior_exponent = 0.6;
    /// How far below its parent a child without visits is valued, if its prior is negligible...
    first_drop = 0.35;
    /// ...the exponent of the prior's part of the best prior in that...
    first_exponent = 0.4;
    /// ...and how many visits this first value counts for.
    first_weight = 2.0;
    /// A node gets children when it has this many visits, and more the deeper it lies.
    expand_visits = 2.0;
    expand_depth = 0.25;
    /// How many children a node keeps, by prior: at the root, one ply below, and deeper.
    width_root = 9999.0;
    width_second = 128.0;
    width_deeper = 48.0;
    /// The weight of a simulation for a sibling that was played later in it; 0 switches this off.
    rave = 0.6;
    /// No such weights for children of nodes with more visits, or for children with more weight.
    rave_parent = 30000.0;
    rave_child = 1500.0;
    /// Whether replies that were good before are tried first in playouts.
    replies = 1.0;
    /// The weight of points, against that of winning, in what a simulation is worth.
    points_weight = 0.33;
    /// The difference of points that counts as large.
    points_scale = 8.0;
    /// Plies that are played before the net judges.
    playout_plies = 4.0;
    /// From this ply on the game is played out instead.
    late_ply = 44.0;
    /// From this ply on the ending is solved where that is quick: at the root with this part of the
    /// time or nodes for each simulation, in the tree with so many nodes; 0 switches it off.
    solve_ply = 56.0;
    solve_root_part = 0.3;
    solve_root_nodes = 0.5;
    solve_tree_nodes = 0.0;
    /// Groups of placements near the last moves that are gathered before one is drawn.
    playout_hits = 3.0;
    /// How much likelier a placement is that covers two of the squares aimed at.
    playout_double = 12.0;
}

impl Parameters {
    /// Sets parameters from `name=value` pairs separated by commas.
    pub fn apply(&mut self, pairs: &str) -> Result<(), String> {
        for pair in pairs.split(',').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair
                .split_once('=')
                .ok_or_else(|| format!("{pair:?} is not of the form name=value"))?;
            let value = value
                .parse()
                .map_err(|_| format!("the value of {name} is not a number: {value:?}"))?;
            if !self.set(name, value) {
                return Err(format!(
                    "there is no parameter {name:?}; there are {}",
                    Self::NAMES.join(", ")
                ));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_set_by_name() {
        let mut parameters = Parameters::default();
        assert_eq!(parameters.apply("explore=2.5,rave=0"), Ok(()));
        assert_eq!(parameters.get("explore"), Some(2.5));
        assert_eq!(parameters.rave, 0.0);
    }

    #[test]
    fn mistakes_are_named() {
        let mut parameters = Parameters::default();
        assert!(parameters.apply("explore").is_err());
        assert!(parameters.apply("explore=high").is_err());
        assert!(parameters.apply("no_such_name=1").is_err());
        assert_eq!(parameters, Parameters::default());
    }

    #[test]
    fn every_name_can_be_read() {
        let parameters = Parameters::default();
        assert!(Parameters::NAMES.iter().all(|name| parameters.get(name).is_some()));
    }
}
