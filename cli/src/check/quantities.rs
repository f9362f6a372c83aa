//! The variables of an experiment: sizes and values from the declarations and from what the user says.

use super::design::{Setting, memory_of};
use super::experiment::{Element, Item, Quantity};
use super::place::{Holder, Memory, Place, Root, Span, Step, record_type};
use super::values::{
    Settings, Values, not_understood, parse_integer, parse_logical, parse_real, parse_text,
};
use contraflow_ad::analysis::{Effects, Entry};
use contraflow_ir::{
    BinaryOp, Diagnostic, Expr, ExprId, Extent, Field, Intent, Intrinsic, Module, Passing,
    Procedure, RecordId, Storage, Type, UnaryOp, VarId, Variable,
};

/// The code of an error: a value must be said.
const NO_VALUE: &str = "check-value";

/// Whether a variable is an input or output of the derivative.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Role {
    /// An input.
    pub independent: bool,
    /// An output.
    pub dependent: bool,
}

/// What a variable has where the user says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsaid {
    /// Numbers at random; integers must be said.
    Drawn,
    /// Zero: it is an output.
    Zero,
    /// What the program has there.
    Found,
}

/// An experiment while it grows.
pub struct Design<'a> {
    /// The program.
    pub module: &'a Module,
    /// The head.
    pub procedure: &'a Procedure,
    /// What the user says.
    pub setting: &'a Setting,
    /// The variables so far.
    pub variables: Vec<Quantity>,
    /// The holders so far.
    pub holders: Vec<Holder>,
    /// What is wrong.
    pub errors: Vec<Diagnostic>,
    known: Vec<String>,
}

/// Where the components of a record stand.
struct Inside {
    holder: usize,
    steps: Vec<Step>,
    outer: Vec<u64>,
    role: Role,
    unsaid: Unsaid,
    span: contraflow_ir::Span,
}

impl<'a> Design<'a> {
    /// Nothing yet.
    pub fn new(module: &'a Module, procedure: &'a Procedure, setting: &'a Setting) -> Self {
        Self {
            module,
            procedure,
            setting,
            variables: Vec::new(),
            holders: Vec::new(),
            errors: Vec::new(),
            known: Vec::new(),
        }
    }

    /// An argument, or the function's value.
    pub fn passed(&mut self, var: VarId, role: Role) -> Option<Item> {
        let variable = &self.procedure.variables[var];
        self.known.push(variable.name.to_ascii_lowercase());
        let is_absent = self.setting.values.get(&variable.name) == Some("absent");
        if variable.optional && is_absent {
            return Some(Item::Absent);
        }
        // An address without a type: what it leads to is the user's own affair.
        if variable.ty == Type::Address && variable.is_argument() {
            return Some(Item::Absent);
        }
        let found = match variable.ty {
            Type::Record(record) => self.record(var, record, role).map(Item::Holder),
            _ => self
                .quantity(var, role)
                .map(|quantity| self.by_itself(variable, quantity)),
        };
        found.map_err(|error| self.errors.push(error)).ok()
    }

    /// What is set before it is read needs no value.
    fn quantity(&self, var: VarId, role: Role) -> Result<Quantity, Diagnostic> {
        match quantity(self.procedure, var, role, self.setting, Unsaid::Drawn) {
            Err(error) if error.code == NO_VALUE && !self.is_read(var) => {
                quantity(self.procedure, var, role, self.setting, Unsaid::Zero)
            }
            found => found,
        }
    }

    /// Whether the head may read what an argument holds when it is called, declarations included.
    fn is_read(&self, var: VarId) -> bool {
        let mut procedures = self.module.procedures.iter();
        let head = procedures.find(|(_, procedure)| std::ptr::eq(*procedure, self.procedure));
        let position = self
            .procedure
            .arguments
            .iter()
            .position(|&other| other == var);
        let (Some((head, _)), Some(position)) = (head, position) else {
            return true;
        };
        let is_declared_by = |e: ExprId| {
            let reads = self.procedure.reads_of_expr(e);
            reads.iter().any(|read| read.var == var)
        };
        let mut variables = self.procedure.variables.iter();
        variables.any(|(_, variable)| {
            let counts = variable.shape.iter().filter_map(|dim| match dim.extent {
                Extent::Count(count) => Some(count),
                _ => None,
            });
            let lowers = variable.shape.iter().map(|dim| dim.lower);
            let mut all = counts.chain(lowers).chain(variable.length);
            all.any(is_declared_by)
        }) || Entry::of(self.module, &Effects::of(self.module), head).reads(head, position)
    }

    /// A buffer that is passed, or what it is copied into: an allocatable or a pointer.
    fn by_itself(&mut self, variable: &Variable, mut quantity: Quantity) -> Item {
        let memory = memory_of(variable.allocation);
        if memory == Memory::Fixed {
            self.variables.push(quantity);
            return Item::Variable(self.variables.len() - 1);
        }
        let dims = quantity.shape.iter();
        self.holders.push(Holder {
            name: variable.name.clone(),
            root: Root::Passed,
            record: None,
            dims: dims.map(|&count| Span { lower: 1, count }).collect(),
            memory,
            by_value: false,
        });
        let holder = self.holders.len() - 1;
        quantity.place = Some(Place {
            holder,
            steps: Vec::new(),
        });
        self.variables.push(quantity);
        Item::Holder(holder)
    }

    fn record(&mut self, var: VarId, record: RecordId, role: Role) -> Result<usize, Diagnostic> {
        let variable = &self.procedure.variables[var];
        let shape = shape(self.procedure, variable, self.setting)?;
        let kind = record_type(self.module, record);
        let in_c = self.procedure.scalars_by_value;
        if !in_c && kind.module.is_none() {
            return Err(undrivable(variable)
                .with_help("declare its type in a module, so that the driver can use it"));
        }
        let is_result = variable.storage == Storage::Result;
        let unsaid = match variable.intent {
            _ if is_result => Unsaid::Zero,
            Intent::Out => Unsaid::Zero,
            _ => Unsaid::Drawn,
        };
        let dims: Vec<Span> = shape
            .iter()
            .map(|&count| Span { lower: 1, count })
            .collect();
        self.holders.push(Holder {
            name: variable.name.clone(),
            root: Root::Passed,
            record: Some(kind),
            dims,
            memory: memory_of(variable.allocation),
            by_value: variable.passing == Passing::Value,
        });
        let inside = Inside {
            holder: self.holders.len() - 1,
            steps: Vec::new(),
            outer: shape,
            role,
            unsaid,
            span: variable.span,
        };
        self.components(record, &variable.name, &inside);
        Ok(inside.holder)
    }

    /// A variable that is in the program: of a module, a translation unit, or a COMMON block.
    pub fn found(&mut self, holder: Holder, ty: Type, role: Role, unsaid: Unsaid) {
        let name = holder.name.clone();
        let span = contraflow_ir::Span::NONE;
        let shape: Vec<u64> = holder.dims.iter().map(|dim| dim.count).collect();
        self.know(&name);
        self.holders.push(holder);
        let inside = Inside {
            holder: self.holders.len() - 1,
            steps: Vec::new(),
            outer: shape.clone(),
            role,
            unsaid,
            span,
        };
        match ty {
            Type::Record(record) => self.components(record, &name, &inside),
            _ => self.component(&name, ty, 0, shape, &inside),
        }
    }

    fn components(&mut self, record: RecordId, prefix: &str, inside: &Inside) {
        let module = self.module;
        for field in &module.records[record].fields {
            let name = format!("{prefix}%{}", field.name);
            self.know(&name);
            if let Err(error) = self.field(field, &name, inside) {
                self.errors.push(error.at(inside.span, "declared here"));
            }
        }
    }

    /// A name that options may use, with its module and without.
    fn know(&mut self, name: &str) {
        let name = name.to_ascii_lowercase();
        if let Some((_, short)) = name.rsplit_once("::") {
            self.known.push(short.to_owned());
        }
        self.known.push(name);
    }

    fn field(&mut self, field: &Field, name: &str, inside: &Inside) -> Result<(), Diagnostic> {
        let is_c_pointer = matches!(field.ty, Type::Pointer(_));
        let memory = match is_c_pointer {
            true => Memory::Pointer,
            false => memory_of(field.allocation),
        };
        let ty = match field.ty {
            Type::Pointer(pointer) => self.module.pointers[pointer].target,
            other => other,
        };
        // Memory made at run time is there if the user speaks of it.
        if memory != Memory::Fixed && !self.is_mentioned(name) {
            return Ok(());
        }
        let mut dims = Vec::new();
        for (number, &(lower, extent)) in field.shape.iter().enumerate() {
            let (lower, count) = match extent {
                Some(count) => (lower, count),
                None => (1, self.extent(name, number)?),
            };
            dims.push(Span {
                lower,
                count: positive(name, count)?,
            });
        }
        if is_c_pointer {
            let count = self.extent(name, 0)?;
            dims = vec![Span {
                lower: 0,
                count: positive(name, count)?,
            }];
        }
        let mut outer: Vec<u64> = dims.iter().map(|dim| dim.count).collect();
        outer.extend(&inside.outer);
        let mut steps = inside.steps.clone();
        steps.push(Step {
            name: field.name.clone(),
            dims,
            memory,
        });
        let deeper = Inside {
            steps,
            outer: outer.clone(),
            ..*inside
        };
        match ty {
            Type::Record(_) if is_c_pointer => {}
            Type::Record(record) => self.components(record, name, &deeper),
            _ => {
                let length = text_length(field.spelling.as_deref());
                self.component(name, ty, length, outer, &deeper);
            }
        }
        Ok(())
    }

    fn component(&mut self, name: &str, ty: Type, length: u64, shape: Vec<u64>, inside: &Inside) {
        // Other types are left as they are.
        let Some(element) = element_of(ty, length) else {
            return;
        };
        let short = name.rsplit_once("::").map_or(name, |(_, short)| short);
        let values = &self.setting.values;
        let text = values.get(name).or_else(|| values.get(short));
        let values = match text {
            Some(text) => parsed(short, text, element, !shape.is_empty(), self.setting),
            None => unsaid(short, element, !shape.is_empty(), inside.unsaid),
        };
        match values {
            Ok(values) => self.variables.push(Quantity {
                name: short.to_owned(),
                element,
                shape,
                independent: inside.role.independent && element.is_active(),
                dependent: inside.role.dependent && element.is_active(),
                values,
                place: Some(Place {
                    holder: inside.holder,
                    steps: inside.steps.clone(),
                }),
            }),
            Err(error) => self.errors.push(match error.labels.is_empty() {
                true => error.at(inside.span, "declared here"),
                false => error,
            }),
        }
    }

    /// Whether the user speaks of a variable or of a component of it.
    pub fn is_mentioned(&self, name: &str) -> bool {
        let short = name.rsplit_once("::").map_or(name, |(_, short)| short);
        let below = format!("{}%", short.to_ascii_lowercase());
        [&self.setting.values, &self.setting.extents]
            .iter()
            .flat_map(|settings| settings.names())
            .map(|known| known.rsplit_once("::").map_or(known, |(_, short)| short))
            .any(|known| known.eq_ignore_ascii_case(short) || known.starts_with(&below))
    }

    /// The number that `--extent` gives for a dimension.
    pub fn extent(&self, name: &str, number: usize) -> Result<i64, Diagnostic> {
        given_count(name, number, self.setting).unwrap_or_else(|| {
            Err(Diagnostic::error(
                "check-size",
                format!("the size of `{name}` is not known: the source does not tell"),
            )
            .with_help(format!("say it: `--extent '{name}=COUNT'`")))
        })
    }

    /// Names of `--set` and `--extent` that are no variables of the experiment must at least be used
    /// in the values of others.
    pub fn unknown_names(&mut self) {
        let setting = self.setting;
        let is_known = |name: &str| {
            // `solve::x=n` speaks of the argument of a procedure.
            if let Some((owner, _)) = name.rsplit_once("::")
                && let Some(owner) = owner.rsplit("::").next()
                && !self.module.procedures_named(owner).is_empty()
            {
                return true;
            }
            let short = name.rsplit_once("::").map_or(name, |(_, short)| short);
            self.known
                .iter()
                .any(|known| known == name || known == short)
        };
        let from = |settings: &Settings, option: &str| {
            settings
                .names()
                .filter(|name| !is_known(name))
                .filter(|name| !setting.values.mentions(name) && !setting.extents.mentions(name))
                .map(|name| self.unknown_name(option, name))
                .collect::<Vec<_>>()
        };
        let mut found = from(&setting.values, "--set");
        found.extend(from(&setting.extents, "--extent"));
        self.errors.extend(found);
    }

    fn unknown_name(&self, option: &str, name: &str) -> Diagnostic {
        let what = match name.contains('%') {
            true => "component",
            false => "argument",
        };
        let message = format!("`{}` has no {what} `{name}`", self.procedure.name);
        let nearest = match self.known.len() {
            0..=24 => self.known.iter().map(String::as_str).collect(),
            _ => crate::head::nearest(name, self.known.iter().map(String::as_str)),
        };
        Diagnostic::error("unknown-variable", message).with_help(format!(
            "{option} takes one of {}, and variables of modules as `module::name`",
            nearest.join(", ")
        ))
    }
}

/// The number of elements along a dimension, checked.
pub fn positive(name: &str, count: i64) -> Result<u64, Diagnostic> {
    match u64::try_from(count) {
        Ok(count) if count > 0 => Ok(count),
        _ => Err(Diagnostic::error(
            "check-size",
            format!("`{name}` would have {count} elements along a dimension"),
        )
        .with_help("choose other values with `--set`")),
    }
}

/// `character(len=8)` and `character*8` tell; 1 if nothing does.
fn text_length(spelling: Option<&str>) -> u64 {
    let spelling = spelling.unwrap_or_default();
    let digits: String = spelling
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().unwrap_or(1)
}

/// An argument or a function's value that is no record.
///
/// # Errors
/// A size or a value that is missing or wrong, or a type that no driver knows.
pub fn quantity(
    procedure: &Procedure,
    var: VarId,
    role: Role,
    setting: &Setting,
    unsaid: Unsaid,
) -> Result<Quantity, Diagnostic> {
    let variable = &procedure.variables[var];
    let element = element(procedure, variable, setting).ok_or_else(|| undrivable(variable))?;
    let shape = shape(procedure, variable, setting)?;
    let is_result = variable.storage == Storage::Result;
    Ok(Quantity {
        name: if is_result {
            procedure.name.clone()
        } else {
            variable.name.clone()
        },
        element,
        shape,
        independent: role.independent,
        dependent: role.dependent,
        values: values(variable, element, is_result, setting, unsaid)?,
        place: None,
    })
}

fn element(procedure: &Procedure, variable: &Variable, setting: &Setting) -> Option<Element> {
    let length = variable
        .length
        .and_then(|length| integer_value(procedure, length, &setting.values).ok())
        .and_then(|length| u64::try_from(length).ok());
    element_of(variable.ty, length.unwrap_or(0))
}

/// The element of a type that a driver can declare.
pub fn element_of(ty: Type, length: u64) -> Option<Element> {
    match ty {
        Type::Real {
            bytes: bytes @ (4 | 8),
        } => Some(Element::Real(bytes)),
        Type::Complex {
            bytes: bytes @ (4 | 8),
        } => Some(Element::Complex(bytes)),
        Type::Integer {
            bytes: bytes @ (1 | 2 | 4 | 8),
            signed,
        } => Some(Element::Integer(bytes, signed)),
        Type::Logical { bytes } => Some(Element::Logical(bytes)),
        Type::Character => Some(Element::Character(length)),
        _ => None,
    }
}

fn undrivable(variable: &Variable) -> Diagnostic {
    Diagnostic::error(
        "check-type",
        format!("`check` cannot make a value for `{}`", variable.name),
    )
    .at(variable.span, "of a type that a driver does not know")
    .with_help(
        "check a procedure whose arguments are numbers, truth values, texts, records, or arrays of them",
    )
}

fn shape(
    procedure: &Procedure,
    variable: &Variable,
    setting: &Setting,
) -> Result<Vec<u64>, Diagnostic> {
    let name = &variable.name;
    variable
        .shape
        .iter()
        .enumerate()
        .map(|(number, dim)| {
            let count = match dim.extent {
                Extent::Count(count) => declared_count(procedure, variable, count, number, setting),
                Extent::Assumed | Extent::Deferred | Extent::AssumedSize | Extent::Unknown => {
                    given_count(name, number, setting).unwrap_or_else(|| Err(size_untold(variable)))
                }
            };
            positive(name, count?).map_err(|error| error.at(variable.span, "declared here"))
        })
        .collect()
}

/// The number that `--extent` gives for a dimension.
fn given_count(name: &str, number: usize, setting: &Setting) -> Option<Result<i64, Diagnostic>> {
    let short = name.rsplit_once("::").map_or(name, |(_, short)| short);
    let extents = &setting.extents;
    let text = extents.get(name).or_else(|| extents.get(short))?;
    let wrong = |why: &str| not_understood("--extent", &format!("{name}={text}"), why);
    let count = text.split(',').nth(number);
    Some(
        count
            .ok_or_else(|| wrong("a dimension is missing"))
            .and_then(|count| setting.values.evaluate(count).map_err(|why| wrong(&why))),
    )
}

fn size_untold(variable: &Variable) -> Diagnostic {
    let name = &variable.name;
    let counts = vec!["COUNT"; variable.rank()].join(",");
    let message = format!("the size of `{name}` is not known: the source does not tell");
    Diagnostic::error("check-size", message)
        .at(variable.span, "declared here")
        .with_help(format!(
            "say it: `--extent '{name}={counts}'`, for example `n*n`"
        ))
}

fn declared_count(
    procedure: &Procedure,
    variable: &Variable,
    count: ExprId,
    number: usize,
    setting: &Setting,
) -> Result<i64, Diagnostic> {
    integer_value(procedure, count, &setting.values).or_else(|why| {
        given_count(&variable.name, number, setting).unwrap_or_else(|| {
            Err(Diagnostic::error(
                "check-size",
                format!("the size of `{}` is not known: {why}", variable.name),
            )
            .at(variable.span, "declared here")
            .with_help("give the integers it depends on with `--set`, or the size with `--extent`"))
        })
    })
}

/// The value of an integer expression of a declaration, from the values of integer arguments.
///
/// # Errors
/// An argument without value, or an expression that is too involved.
pub fn integer_value(procedure: &Procedure, e: ExprId, values: &Settings) -> Result<i64, String> {
    let value = |e: ExprId| integer_value(procedure, e, values);
    let overflow = || "its value is too large".to_owned();
    match procedure.expr(e) {
        Expr::Integer(value) => i64::try_from(*value).map_err(|_| overflow()),
        Expr::Load(access) if access.path.is_empty() => {
            let variable = &procedure.variables[access.var];
            match variable.storage {
                Storage::Constant {
                    value: Some(constant),
                    ..
                } => value(constant),
                _ => values.integer(&variable.name),
            }
        }
        Expr::Convert(inner) | Expr::Unary(UnaryOp::Plus, inner) => value(*inner),
        Expr::Unary(UnaryOp::Negate, inner) => Ok(-value(*inner)?),
        Expr::Binary(op, left, right) => {
            let (a, b) = (value(*left)?, value(*right)?);
            let result = match op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Subtract => a.checked_sub(b),
                BinaryOp::Multiply => a.checked_mul(b),
                BinaryOp::Divide => a.checked_div(b),
                BinaryOp::Remainder => a.checked_rem(b),
                BinaryOp::Power => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
                BinaryOp::Less => Some(i64::from(a < b)),
                BinaryOp::LessEqual => Some(i64::from(a <= b)),
                BinaryOp::Greater => Some(i64::from(a > b)),
                BinaryOp::GreaterEqual => Some(i64::from(a >= b)),
                BinaryOp::And | BinaryOp::AndThen => Some(a.min(b)),
                _ => return Err("its declaration is too involved".to_owned()),
            };
            result.ok_or_else(overflow)
        }
        Expr::Select {
            condition,
            then,
            otherwise,
        } => match value(*condition)? {
            0 => value(*otherwise),
            _ => value(*then),
        },
        Expr::Load(_) => Err("it depends on a component".to_owned()),
        Expr::Intrinsic(f @ (Intrinsic::Max | Intrinsic::Min), operands) => {
            let all = operands
                .iter()
                .map(|&e| value(e))
                .collect::<Result<Vec<_>, _>>()?;
            let chosen = match f {
                Intrinsic::Max => all.into_iter().max(),
                _ => all.into_iter().min(),
            };
            chosen.ok_or_else(overflow)
        }
        _ => Err("its declaration is too involved".to_owned()),
    }
}

fn values(
    variable: &Variable,
    element: Element,
    is_result: bool,
    setting: &Setting,
    otherwise: Unsaid,
) -> Result<Values, Diagnostic> {
    let name = &variable.name;
    let is_output = is_result || variable.intent == Intent::Out;
    let is_array = variable.is_array();
    let found = match setting.values.get(name).filter(|_| !is_result) {
        Some(text) => parsed(name, text, element, is_array, setting),
        None if is_output => unsaid(name, element, is_array, Unsaid::Zero),
        None => unsaid(name, element, is_array, otherwise),
    };
    found.map_err(|error| error.at(variable.span, "declared here"))
}

/// What the user says.
///
/// # Errors
/// What is wrong with it.
pub fn parsed(
    name: &str,
    text: &str,
    element: Element,
    is_array: bool,
    setting: &Setting,
) -> Result<Values, Diagnostic> {
    let parsed = match element {
        Element::Real(_) | Element::Complex(_) => parse_real(text),
        Element::Integer(..) if !is_array => setting
            .values
            .evaluate(text)
            .map(|value| Values::Integers(vec![value])),
        Element::Integer(..) => parse_integer(text, &setting.values),
        Element::Logical(_) => parse_logical(text),
        Element::Character(_) => Ok(parse_text(text)),
    };
    parsed.map_err(|why| not_understood("--set", &format!("{name}={text}"), &why))
}

fn unsaid(
    name: &str,
    element: Element,
    is_array: bool,
    otherwise: Unsaid,
) -> Result<Values, Diagnostic> {
    let needs = |example: &str| {
        Err(
            Diagnostic::error(NO_VALUE, format!("`{name}` needs a value"))
                .with_help(format!("give one: `--set {name}={example}`")),
        )
    };
    if otherwise == Unsaid::Found {
        return Ok(Values::Found);
    }
    match element {
        Element::Real(_) | Element::Complex(_) => Ok(Values::Uniform(0.5, 1.5)),
        Element::Integer(..) if otherwise == Unsaid::Zero => Ok(Values::Integers(vec![0])),
        Element::Logical(_) if otherwise == Unsaid::Zero => Ok(Values::Logical(false)),
        Element::Character(_) if otherwise == Unsaid::Zero => Ok(parse_text("")),
        Element::Integer(..) if is_array => needs("1:4"),
        Element::Integer(..) => needs("7"),
        Element::Logical(_) => needs("true"),
        Element::Character(_) => needs("text"),
    }
}
