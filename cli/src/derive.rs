//! `contraflow adjoint` and `contraflow tangent`: from the request to files.

use crate::arguments::{Derive, Input, PlannerName, SavedName, Stage};
use crate::bind::bind;
use crate::console::Console;
use crate::emit::emit;
use crate::extents::declare_all;
use crate::failure::Failure;
use crate::findings::{show, show_relevant};
use crate::head::{Head, HeadSpec, resolve};
use crate::host::SystemHost;
use crate::kept::{self, Profile};
use crate::plan::read_back;
use crate::planning::planning;
use crate::program::{self, Program};
use crate::write::write_all;
use contraflow_ad::{Derivative, Hint, Mode, Planner, Request, Saved, differentiate};
use contraflow_backend_common::OutputFile;
use contraflow_ir::Diagnostic;
use contraflow_ir::print::print;
use std::path::Path;

/// What the names of derived procedures and shadows end with, if the user does not say.
pub fn usual_suffix(mode: Mode) -> &'static str {
    match mode {
        Mode::Adjoint => "_b",
        Mode::Tangent => "_d",
    }
}

/// Runs `contraflow adjoint` or `contraflow tangent`.
///
/// # Errors
/// The user's fault as diagnostics, the machine's as it comes.
pub fn command(arguments: &Derive, mode: Mode, console: &mut Console) -> Result<(), Failure> {
    let input = &arguments.input;
    let spec = HeadSpec::parse(&input.head).map_err(Failure::without_place)?;
    let mut program = program::read(input, &SystemHost)?;
    if arguments.ir == Some(Stage::Primal) {
        show(&program.diagnostics, &program.sources, console);
        console.say(&print(&program.module));
        return Ok(());
    }
    let head = find_head(&spec, &mut program, input, console)?;
    let suffix = arguments.suffix.as_deref().unwrap_or(usual_suffix(mode));
    let derivative = derive(&program, &head, mode, &Wish::of(input, suffix))?;
    show(&derivative.diagnostics, &program.sources, console);
    if input.report {
        console.complain(&derivative.report.join("\n"));
        if let Some(line) = kept::growing_line(&derivative) {
            console.complain(&line);
        }
        if let Some(path) = &input.profile {
            let profile = Profile::read(path).map_err(Failure::without_place)?;
            console.complain(&profile.report(&program.module, head.procedure));
        }
    }
    if arguments.ir == Some(Stage::Derivative) {
        console.say(&print(&derivative.module));
        return Ok(());
    }
    let Some(folder) = &arguments.output else {
        return Ok(());
    };
    let is_counted = input.instrument || derivative.watched.is_some();
    let counter = (is_counted && mode == Mode::Adjoint).then(|| kept::counter(&derivative));
    let outputs = emit(&program, &derivative, arguments.language, counter.as_ref())?;
    refuse_to_overwrite(folder, &outputs, &program)?;
    for path in write_all(folder, &outputs)? {
        console.say(&path.display().to_string());
    }
    Ok(())
}

/// The head in the user's program, its arrays as large as the user says, after showing what the
/// front ends found.
///
/// # Errors
/// See [`resolve`].
pub fn find_head(
    spec: &HeadSpec,
    program: &mut Program,
    input: &Input,
    console: &mut Console,
) -> Result<Head, Failure> {
    match resolve(spec, &program.module, &program.sources) {
        Ok(mut head) => {
            show_relevant(program, head.procedure, console);
            declare_all(&mut program.module, head.procedure, &input.extents)
                .and_then(|()| bind(&input.bind, &mut head, &program.module, &program.sources))
                .map_err(|error| Failure::user(vec![error], &program.sources))?;
            Ok(head)
        }
        Err(error) => {
            show(&program.diagnostics, &program.sources, console);
            Err(Failure::user(vec![error], &program.sources))
        }
    }
}

/// What is wanted of a derivative beside the head and the mode.
pub struct Wish<'a> {
    /// What names end with.
    pub suffix: &'a str,
    /// Who plans.
    pub planner: PlannerName,
    /// How loops are to be reversed.
    pub checkpoints: &'a [String],
    /// What saved variables hold when it is called.
    pub saved: Option<SavedName>,
    /// What COMMON blocks and variables of modules hold then.
    pub memory: Option<SavedName>,
    /// What of these is taken as it is.
    pub kept: &'a [String],
    /// What the command line says about planning.
    pub input: &'a Input,
    /// Whether the head is wanted as well on the state of its derivative.
    pub copy_head: bool,
}

impl<'a> Wish<'a> {
    /// What the command line says.
    pub fn of(input: &'a Input, suffix: &'a str) -> Self {
        Self {
            suffix,
            planner: input.planner,
            checkpoints: &input.checkpoints,
            saved: input.saved,
            memory: input.saved,
            kept: &input.kept,
            input,
            copy_head: false,
        }
    }
}

/// The derivative of the head.
///
/// # Errors
/// What `core/ad` says of the user's program.
pub fn derive(
    program: &Program,
    head: &Head,
    mode: Mode,
    wish: &Wish<'_>,
) -> Result<Derivative, Failure> {
    let (mut checkpoints, values) = match &wish.input.plan {
        Some(path) => read_back(path).map_err(Failure::without_place)?,
        None => (Vec::new(), Vec::new()),
    };
    for text in wish.checkpoints {
        let hint =
            Hint::parse(text).map_err(|error| Failure::user(vec![error], &program.sources))?;
        checkpoints.push(hint);
    }
    let meant = |saved: Option<SavedName>| match saved {
        None => Saved::Unspecified,
        Some(SavedName::Fresh) => Saved::Fresh,
        Some(SavedName::Kept) => Saved::Kept,
    };
    let request = Request {
        checkpoints,
        values,
        head: head.procedure,
        independents: head.independents.clone(),
        dependents: head.dependents.clone(),
        bindings: head.bindings.clone(),
        mode,
        suffix: wish.suffix.to_owned(),
        saved: meant(wish.saved),
        memory: meant(wish.memory),
        kept: wish.kept.to_vec(),
        copy_head: wish.copy_head,
        planning: planning(wish.input, program)?,
        planner: match wish.planner {
            PlannerName::Optimal => Planner::Optimal,
            PlannerName::Greedy => Planner::Greedy,
        },
    };
    differentiate(&program.module, &program.sources, &request)
        .map_err(|errors| Failure::user(errors, &program.sources))
}

/// Output in place has the name of its original, so it must go elsewhere.
fn refuse_to_overwrite(
    folder: &Path,
    outputs: &[OutputFile],
    program: &Program,
) -> Result<(), Failure> {
    for (_, source) in program.sources.iter() {
        let Ok(original) = source.path.canonicalize() else {
            continue;
        };
        let overwritten = outputs.iter().find(|output| {
            folder
                .join(&output.name)
                .canonicalize()
                .is_ok_and(|target| target == original)
        });
        if overwritten.is_some() {
            let shown = source.path.display();
            return Err(Failure::without_place(
                Diagnostic::error(
                    "overwrites-source",
                    format!("the derivative of `{shown}` would replace it"),
                )
                .with_help("choose another folder for `-o`"),
            ));
        }
    }
    Ok(())
}
