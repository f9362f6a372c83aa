//! Structured programs compute what the programs with jumps did.

use contraflow_ir::generate::{Options, Program, program};
use contraflow_ir::interp::{Error, Machine, Value};
use contraflow_ir::print::print;
use contraflow_ir::structure::structure;
use contraflow_ir::verify::verify;
use proptest::prelude::*;

fn run(program: &Program, seed: u64) -> Result<Vec<Value>, Error> {
    let mut arguments = program.arguments(5, seed);
    let mut machine = Machine::new(&program.module);
    machine.limit(300_000);
    machine.run(program.entry, &mut arguments)?;
    Ok(arguments)
}

fn structured(program: &Program) -> Program {
    let mut structured = program.clone();
    for (_, procedure) in structured.module.procedures.iter_mut() {
        structure(procedure);
    }
    structured
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn structured_programs_compute_the_same(
        choices in prop::collection::vec(any::<u8>(), 0..800),
        seed in 0u64..1000,
    ) {
        let options = Options { jumps: true, statements: 25, ..Options::default() };
        let original = program(&choices, options);
        let structured = structured(&original);
        if let Err(violations) = verify(&structured.module) {
            prop_assert!(false, "{violations:?}\n{}", print(&structured.module));
        }
        let expected = run(&original, seed);
        prop_assume!(expected != Err(Error::StepLimit));
        prop_assert!(expected.is_ok(), "{:?}\n{}", expected, print(&original.module));
        let found = run(&structured, seed);
        prop_assert!(
            found == expected,
            "{:?}\n{:?}\n{}\n{}",
            expected, found, print(&original.module), print(&structured.module)
        );
    }
}
