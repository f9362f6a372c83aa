//! What a function does to its names, found in one walk before it is lowered: which are written,
//! whose address is taken, what pointers are set to. Names stand for all variables of that name,
//! so the facts are conservative where blocks shadow.

use crate::cst::{
    AsmStatement, BinaryOperator, BinaryOperatorExpression, BlockItem, CallExpression, Declaration,
    Expression, ForInitializer, ForStatement, InitDeclarator, Initializer, Label, LabeledStatement,
    Node, Span, Statement, SwitchStatement, TypeName, UnaryOperator, UnaryOperatorExpression,
    visit, visit::Visit,
};
use crate::cst::{Declarator, DeclaratorKind};
use std::collections::{HashMap, HashSet};

/// What a pointer is set to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source<'a> {
    /// The array or pointer of this name, perhaps plus something.
    Root(&'a str),
    /// `malloc`, `calloc`.
    Allocation,
    /// What a call of a function of this name gives; of another one, of no name.
    Call(&'a str),
    Null,
    Other,
}

/// The type that a name is seen as.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seen<'a> {
    /// `(T *)name`
    Cast(&'a TypeName),
    /// `T *p = name;`
    Initial(&'a Declaration, &'a InitDeclarator, Span),
}

/// What a piece of a function does.
#[derive(Default, Debug)]
pub(crate) struct Facts<'a> {
    /// Assignments, increments and decrements by name.
    pub writes: HashMap<&'a str, u32>,
    /// Those of them in the heads of `for`.
    pub head_writes: HashMap<&'a str, u32>,
    pub address_taken: HashSet<&'a str>,
    /// What is assigned to each name, initial values among it.
    pub sources: HashMap<&'a str, Vec<Source<'a>>>,
    /// Whether something is written that is not a plain name.
    pub writes_memory: bool,
    pub calls: bool,
    /// How often each label is jumped to.
    pub gotos: HashMap<&'a str, u32>,
    pub names: HashSet<&'a str>,
    /// Functions that are called by name.
    pub called: HashSet<&'a str>,
    pub returns: bool,
    /// How often each name stands in an expression.
    pub uses: HashMap<&'a str, u32>,
    /// The types that names are cast to, or that variables have which start with them.
    pub casts: HashMap<&'a str, Vec<Seen<'a>>>,
    /// The pointers that are given to `realloc`.
    pub reallocated: HashSet<&'a str>,
    decrements: HashSet<&'a str>,
    in_head: bool,
}

impl<'a> Facts<'a> {
    pub fn of_statement(node: &'a Node<Statement>) -> Self {
        let mut facts = Self::default();
        facts.visit_statement(&node.node, &node.span);
        facts
    }

    pub fn of_items(items: &'a [Node<BlockItem>]) -> Self {
        let mut facts = Self::default();
        for item in items {
            facts.visit_block_item(&item.node, &item.span);
        }
        facts
    }

    pub fn of_expression(node: &'a Node<Expression>) -> Self {
        let mut facts = Self::default();
        facts.visit_expression(&node.node, &node.span);
        facts
    }

    /// Whether the memory that a pointer leads to comes from `realloc`, or is given to it.
    pub fn grows(&self, name: &str) -> bool {
        let mut sources = self.sources.get(name).into_iter().flatten();
        self.reallocated.contains(name) || sources.any(|source| *source == Source::Call("realloc"))
    }

    /// How often a name is assigned after its declaration.
    pub fn writes_of(&self, name: &str) -> u32 {
        self.writes.get(name).copied().unwrap_or(0)
    }

    /// Whether a name is written, perhaps through its address.
    pub fn may_write(&self, name: &str) -> bool {
        self.writes_of(name) > 0 || self.address_taken.contains(name)
    }

    /// Whether a name is assigned in heads of `for` only.
    pub fn only_counts(&self, name: &str) -> bool {
        self.writes_of(name) == self.head_writes.get(name).copied().unwrap_or(0)
            && !self.address_taken.contains(name)
            && !self.decrements.contains(name)
    }

    fn write(&mut self, target: &'a Node<Expression>) {
        match &target.node {
            Expression::Identifier(name) => {
                let name = name.node.name.as_str();
                *self.writes.entry(name).or_default() += 1;
                if self.in_head {
                    *self.head_writes.entry(name).or_default() += 1;
                }
            }
            _ => self.writes_memory = true,
        }
    }
}

/// Whether evaluating an expression does more than give a value.
pub(crate) fn has_effects(node: &Node<Expression>) -> bool {
    let mut finder = EffectFinder(false);
    finder.visit_expression(&node.node, &node.span);
    finder.0
}

struct EffectFinder(bool);

impl<'a> Visit<'a> for EffectFinder {
    fn visit_expression(&mut self, expression: &'a Expression, span: &'a Span) {
        match expression {
            Expression::Call(call) => {
                let pure = matches!(&call.node.callee.node, Expression::Identifier(name)
                    if super::library::is_pure_name(&name.node.name));
                self.0 |= !pure;
            }
            Expression::Statement(_) | Expression::VaArg(_) => self.0 = true,
            Expression::SizeOfVal(_) | Expression::SizeOfTy(_) => return,
            _ => {}
        }
        if !self.0 {
            visit::visit_expression(self, expression, span);
        }
    }
    fn visit_binary_operator(&mut self, operator: &'a BinaryOperator, _: &'a Span) {
        self.0 |= is_assignment(operator);
    }
    fn visit_unary_operator(&mut self, operator: &'a UnaryOperator, _: &'a Span) {
        self.0 |= is_step(operator);
    }
    fn visit_compound_literal(&mut self, _: &'a crate::cst::CompoundLiteral, _: &'a Span) {
        self.0 = true;
    }
}

/// Whether an operator assigns.
pub(crate) fn is_assignment(operator: &BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Assign
            | BinaryOperator::AssignMultiply
            | BinaryOperator::AssignDivide
            | BinaryOperator::AssignModulo
            | BinaryOperator::AssignPlus
            | BinaryOperator::AssignMinus
            | BinaryOperator::AssignShiftLeft
            | BinaryOperator::AssignShiftRight
            | BinaryOperator::AssignBitwiseAnd
            | BinaryOperator::AssignBitwiseXor
            | BinaryOperator::AssignBitwiseOr
    )
}

/// Whether an operator increments or decrements.
pub(crate) fn is_step(operator: &UnaryOperator) -> bool {
    matches!(
        operator,
        UnaryOperator::PostIncrement
            | UnaryOperator::PostDecrement
            | UnaryOperator::PreIncrement
            | UnaryOperator::PreDecrement
    )
}

/// The name of an expression that is one.
pub(crate) fn identifier(node: &Node<Expression>) -> Option<&str> {
    match &node.node {
        Expression::Identifier(name) => Some(&name.node.name),
        _ => None,
    }
}

/// The name that a declarator declares.
fn declarator_name(declarator: &Declarator) -> Option<&str> {
    match &declarator.kind.node {
        DeclaratorKind::Identifier(name) => Some(&name.node.name),
        DeclaratorKind::Declarator(inner) => declarator_name(&inner.node),
        DeclaratorKind::Abstract => None,
    }
}

/// The allocator that an expression calls.
pub(crate) fn allocator(node: &Node<Expression>) -> Option<&CallExpression> {
    match &node.node {
        Expression::Cast(cast) => allocator(&cast.node.expression),
        Expression::Call(call) => {
            let name = identifier(&call.node.callee)?;
            let makes = matches!(name, "malloc" | "calloc") || is_of_nothing(&call.node);
            makes.then_some(&call.node)
        }
        _ => None,
    }
}

/// Whether a call is `realloc(NULL, bytes)`, which is `malloc(bytes)`.
pub(crate) fn is_of_nothing(call: &CallExpression) -> bool {
    let given = call.arguments.first().map(source_of);
    identifier(&call.callee) == Some("realloc") && matches!(given, Some(Source::Null))
}

pub(crate) fn source_of(node: &Node<Expression>) -> Source<'_> {
    match &node.node {
        Expression::Identifier(name) => Source::Root(&name.node.name),
        Expression::Constant(_) => Source::Null,
        Expression::Cast(cast) => source_of(&cast.node.expression),
        Expression::Call(_) if allocator(node).is_some() => Source::Allocation,
        Expression::Call(call) => Source::Call(identifier(&call.node.callee).unwrap_or("")),
        Expression::BinaryOperator(binary)
            if matches!(
                binary.node.operator.node,
                BinaryOperator::Plus | BinaryOperator::Minus
            ) =>
        {
            match source_of(&binary.node.lhs) {
                Source::Root(name) => Source::Root(name),
                _ => Source::Other,
            }
        }
        Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Address => {
            match &unary.node.operand.node {
                Expression::BinaryOperator(index)
                    if index.node.operator.node == BinaryOperator::Index =>
                {
                    source_of(&index.node.lhs)
                }
                _ => Source::Other,
            }
        }
        _ => Source::Other,
    }
}

impl<'a> Visit<'a> for Facts<'a> {
    fn visit_expression(&mut self, expression: &'a Expression, span: &'a Span) {
        if let Expression::Identifier(name) = expression {
            self.names.insert(&name.node.name);
            *self.uses.entry(&name.node.name).or_default() += 1;
        }
        if let Expression::Cast(cast) = expression
            && let Some(name) = identifier(&cast.node.expression)
        {
            let types = self.casts.entry(name).or_default();
            types.push(Seen::Cast(&cast.node.type_name.node));
        }
        visit::visit_expression(self, expression, span);
    }

    fn visit_binary_operator_expression(
        &mut self,
        binary: &'a BinaryOperatorExpression,
        span: &'a Span,
    ) {
        if is_assignment(&binary.operator.node) {
            self.write(&binary.lhs);
            if let (BinaryOperator::AssignMinus, Some(name)) =
                (&binary.operator.node, identifier(&binary.lhs))
            {
                self.decrements.insert(name);
            }
            if binary.operator.node == BinaryOperator::Assign
                && let Some(name) = identifier(&binary.lhs)
            {
                let source = source_of(&binary.rhs);
                self.sources.entry(name).or_default().push(source);
            }
        }
        visit::visit_binary_operator_expression(self, binary, span);
    }

    fn visit_unary_operator_expression(
        &mut self,
        unary: &'a UnaryOperatorExpression,
        span: &'a Span,
    ) {
        if is_step(&unary.operator.node) {
            self.write(&unary.operand);
            if let (UnaryOperator::PostDecrement | UnaryOperator::PreDecrement, Some(name)) =
                (&unary.operator.node, identifier(&unary.operand))
            {
                self.decrements.insert(name);
            }
        }
        if unary.operator.node == UnaryOperator::Address {
            match identifier(&unary.operand) {
                Some(name) => {
                    self.address_taken.insert(name);
                }
                None => self.writes_memory = true,
            }
        }
        visit::visit_unary_operator_expression(self, unary, span);
    }

    fn visit_call_expression(&mut self, call: &'a CallExpression, span: &'a Span) {
        let pure = identifier(&call.callee).is_some_and(super::library::is_pure_name);
        self.calls |= !pure;
        self.called.extend(identifier(&call.callee));
        if identifier(&call.callee) == Some("realloc") {
            self.reallocated.extend(super::grow::reallocated(call));
        }
        visit::visit_call_expression(self, call, span);
    }

    fn visit_declaration(&mut self, declaration: &'a Declaration, span: &'a Span) {
        for init in &declaration.declarators {
            let initializer = init.node.initializer.as_ref().map(|it| &it.node);
            if let Some(Initializer::Expression(value)) = initializer
                && let Some(name) = identifier(value)
            {
                let types = self.casts.entry(name).or_default();
                types.push(Seen::Initial(declaration, &init.node, *span));
            }
        }
        visit::visit_declaration(self, declaration, span);
    }

    fn visit_init_declarator(&mut self, init: &'a InitDeclarator, span: &'a Span) {
        if let (Some(name), Some(initializer)) =
            (declarator_name(&init.declarator.node), &init.initializer)
        {
            let source = match &initializer.node {
                Initializer::Expression(value) => source_of(value),
                Initializer::List(_) => Source::Other,
            };
            self.sources.entry(name).or_default().push(source);
        }
        visit::visit_init_declarator(self, init, span);
    }

    fn visit_for_statement(&mut self, node: &'a ForStatement, _: &'a Span) {
        let outer = std::mem::replace(&mut self.in_head, true);
        self.visit_for_initializer(&node.initializer.node, &node.initializer.span);
        if let Some(step) = &node.step {
            self.visit_expression(&step.node, &step.span);
        }
        self.in_head = outer;
        if let Some(condition) = &node.condition {
            self.visit_expression(&condition.node, &condition.span);
        }
        self.visit_statement(&node.statement.node, &node.statement.span);
    }

    fn visit_statement(&mut self, statement: &'a Statement, span: &'a Span) {
        if let Statement::Goto(label) = statement {
            *self.gotos.entry(&label.node.name).or_default() += 1;
        }
        self.returns |= matches!(statement, Statement::Return(_));
        if let Statement::Asm(assembly) = statement {
            self.calls = true;
            self.writes_memory = true;
            if let AsmStatement::GnuExtended(assembly) = &assembly.node {
                for operand in &assembly.outputs {
                    self.write(&operand.node.variable_name);
                }
            }
        }
        visit::visit_statement(self, statement, span);
    }
}

/// Whether a `case` of an outer `switch` stands inside a statement.
pub(crate) fn has_case(node: &Node<Statement>) -> bool {
    struct Finder(bool);
    impl<'a> Visit<'a> for Finder {
        fn visit_labeled_statement(&mut self, labeled: &'a LabeledStatement, span: &'a Span) {
            self.0 |= !matches!(labeled.label.node, Label::Identifier(_));
            visit::visit_labeled_statement(self, labeled, span);
        }
        fn visit_switch_statement(&mut self, _: &'a SwitchStatement, _: &'a Span) {}
    }
    let mut finder = Finder(false);
    finder.visit_statement(&node.node, &node.span);
    finder.0
}

/// The declaration in the head of a `for`.
pub(crate) fn head_declaration(node: &ForStatement) -> Option<&Declaration> {
    match &node.initializer.node {
        ForInitializer::Declaration(declaration) => Some(&declaration.node),
        _ => None,
    }
}
