//! `maxloc`, `minloc`, `findloc`: positions of elements, counted from 1; zero where there is none.

use super::array::Range;
use super::rearrange::loaded;
use super::{Element, Fallible, Hoisted, Lowerer, Syn, refuse};
use crate::cst::NodeId;
use contraflow_ir::{Access, BinaryOp, ExprId, Stmt, Type, VarId};

/// What is looked for.
#[derive(Clone, Copy)]
struct Search<'t> {
    array: Syn<'t>,
    /// Of `findloc`: the value.
    value: Option<Syn<'t>>,
    mask: Option<Syn<'t>>,
    dim: Option<usize>,
    /// How an element compares to the best one, or to the value.
    order: BinaryOp,
    /// Whether the last one counts.
    is_last: bool,
    /// The type of positions.
    ty: Type,
}

impl Lowerer<'_> {
    /// Whether [`Self::located`] lowers the intrinsic.
    pub(super) fn is_locating(name: &str) -> bool {
        matches!(name, "maxloc" | "minloc" | "findloc")
    }

    /// The rank of the positions.
    pub(super) fn located_rank(
        &mut self,
        e: Syn,
        name: &str,
        arguments: &[NodeId],
    ) -> Fallible<usize> {
        let search = self.search(e, name, arguments)?;
        let rank = self.rank(search.array)?;
        Ok(match search.dim {
            Some(_) => rank.saturating_sub(1),
            None => 1,
        })
    }

    fn search<'t>(&mut self, e: Syn<'t>, name: &str, arguments: &[NodeId]) -> Fallible<Search<'t>> {
        let first = usize::from(name == "findloc");
        let array = self.demanded(e, arguments, 0, "array")?;
        let value = match name {
            "findloc" => Some(self.demanded(e, arguments, 1, "value")?),
            _ => None,
        };
        let mut dim = self.argument_of(e, arguments, first + 1, "dim");
        let mut mask = self.argument_of(e, arguments, first + 2, "mask");
        let is_named = self.argument_of(e, arguments, usize::MAX, "dim").is_some();
        // A mask may stand in the place of the dimension.
        if let (Some(second), None, false) = (dim, mask, is_named)
            && self.is_logical(second)?
        {
            (dim, mask) = (None, Some(second));
        }
        let back = self.argument_of(e, arguments, first + 4, "back");
        let is_last = match back {
            None => false,
            Some(back) => match e.tree.text(back.node) {
                ".true." => true,
                ".false." => false,
                _ => return refuse("`back` that is not constant"),
            },
        };
        let dim = match dim {
            Some(dim) => Some(self.constant_dim(Some(dim))?),
            None => None,
        };
        let order = match (name, is_last) {
            ("maxloc", false) => BinaryOp::Greater,
            ("maxloc", true) => BinaryOp::GreaterEqual,
            ("minloc", false) => BinaryOp::Less,
            ("minloc", true) => BinaryOp::LessEqual,
            _ => BinaryOp::Equal,
        };
        let ty = self.kind_argument(e, arguments, first + 3, Type::INT)?;
        Ok(Search {
            array,
            value,
            mask,
            dim,
            order,
            is_last,
            ty,
        })
    }

    /// The positions: a scalar, or a temporary array.
    pub(super) fn located(
        &mut self,
        e: Syn,
        name: &str,
        arguments: &[NodeId],
    ) -> Fallible<Hoisted> {
        let search = self.search(e, name, arguments)?;
        let parts = [Some(search.array), search.value, search.mask];
        for part in parts.into_iter().flatten() {
            self.hoist(part)?;
        }
        let element = self.element_type(search.array)?;
        if !element.is_integer() && !element.is_real() {
            return refuse("the position of a value that is no number");
        }
        let ranges = self.ranges(search.array)?;
        match search.dim {
            Some(dim) if dim >= ranges.len() => {
                refuse("a position along a dimension that is not there")
            }
            Some(_) if ranges.len() == 1 => {
                let var = self.temporary("location", search.ty);
                self.locate(search, &ranges, &[], &[Access::whole(var)], element)?;
                Ok(Hoisted::Scalar(var))
            }
            Some(dim) => {
                let mut kept = ranges.clone();
                let along = kept.remove(dim);
                let var = self.temporary_array("location", search.ty, &kept);
                self.nest(&kept, |lowerer, outer| {
                    let target = lowerer.temporary_element(var, outer);
                    lowerer.locate(search, &[along], outer, &[target], element)
                })?;
                Ok(Hoisted::Array(var))
            }
            None => {
                let var = self.locations(ranges.len(), search.ty);
                let targets: Vec<Access> = (1..=ranges.len())
                    .map(|index| {
                        let index = self.int(index as i128);
                        Access::element(var, vec![index])
                    })
                    .collect();
                self.locate(search, &ranges, &[], &targets, element)?;
                Ok(Hoisted::Array(var))
            }
        }
    }

    fn locations(&mut self, rank: usize, ty: Type) -> VarId {
        let (lower, upper) = (self.int(1), self.int(rank as i128));
        let range = Range {
            lower,
            upper,
            step: None,
        };
        self.temporary_array("location", ty, &[range])
    }

    /// Emits the search over `ranges`; `outer` are the counters of the other dimensions.
    fn locate(
        &mut self,
        search: Search,
        ranges: &[Range],
        outer: &Element,
        targets: &[Access],
        element: Type,
    ) -> Fallible<()> {
        let nowhere = self.build().int_of(0, search.ty);
        for target in targets {
            self.emit(Stmt::Assign {
                target: target.clone(),
                value: nowhere,
            });
        }
        let best = self.temporary("best", element);
        let start = match search.value {
            Some(value) => {
                let value = self.value(value, &[])?;
                self.converted(value, element)?
            }
            None => self.build().zero(element),
        };
        self.emit(Stmt::Assign {
            target: Access::whole(best),
            value: start,
        });
        self.nest(ranges, |lowerer, inner| {
            let mut at = outer.to_vec();
            match search.dim {
                Some(dim) if !outer.is_empty() => at.insert(dim, inner[0]),
                _ => at = inner.to_vec(),
            }
            let value = lowerer.value(search.array, &at)?;
            let condition = lowerer.is_better(search, value, best, &targets[0]);
            let (mut then, ()) = lowerer.block(|lowerer| {
                if search.value.is_none() {
                    lowerer.emit(Stmt::Assign {
                        target: Access::whole(best),
                        value,
                    });
                }
                for (target, dim) in targets.iter().zip(inner) {
                    let mut b = lowerer.build();
                    let counter = b.load(dim.variable);
                    let one = b.int(1);
                    let position = b.sub(counter, dim.lower);
                    let position = b.add(position, one);
                    let value = b.convert(position, search.ty);
                    lowerer.emit(Stmt::Assign {
                        target: target.clone(),
                        value,
                    });
                }
                Ok(())
            })?;
            then = vec![lowerer.build().if_else(condition, then, Vec::new())];
            if let Some(mask) = search.mask {
                let at_mask = if lowerer.rank(mask)? == 0 {
                    &[][..]
                } else {
                    &at
                };
                let condition = lowerer.value(mask, at_mask)?;
                let condition = lowerer.truth(condition)?;
                then = vec![lowerer.build().if_else(condition, then, Vec::new())];
            }
            lowerer.out.extend(then);
            Ok(())
        })
    }

    /// Whether an element is to be taken: the first one, or one that is better.
    fn is_better(&mut self, search: Search, value: ExprId, best: VarId, target: &Access) -> ExprId {
        let place = loaded(self, target, search.ty);
        let mut b = self.build();
        let nowhere = b.int_of(0, search.ty);
        let is_first = b.compare(BinaryOp::Equal, place, nowhere);
        let best = b.load(best);
        let is_better = b.compare(search.order, value, best);
        match (search.value.is_some(), search.is_last) {
            (true, true) => is_better,
            (true, false) => b.and(is_first, is_better),
            (false, _) => b.exact_binary(BinaryOp::Or, is_first, is_better),
        }
    }
}
