//! Arenas: nodes live in one vector per kind and are named by `Copy` ids.
//!
//! An analysis keeps its results in side tables indexed by id ([`SideTable`]), never in the nodes.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// The name of a `T` in its [`Arena`]. Two ids of one arena are equal if they name the same node.
pub struct Id<T> {
    index: u32,
    kind: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    /// The id of the node at `index`.
    pub fn from_index(index: usize) -> Self {
        Self {
            index: u32::try_from(index).expect("an arena holds fewer than 2^32 nodes"),
            kind: PhantomData,
        }
    }

    /// The position of the node in its arena.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}
impl<T> Eq for Id<T> {}
impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.index.cmp(&other.index)
    }
}
impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}
impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.index)
    }
}

/// All nodes of one kind.
#[derive(Clone, PartialEq)]
pub struct Arena<T> {
    nodes: Vec<T>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self { nodes: Vec::new() }
    }
}

impl<T: fmt::Debug> fmt::Debug for Arena<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.nodes).finish()
    }
}

impl<T> Arena<T> {
    /// Adds a node and names it.
    pub fn add(&mut self, node: T) -> Id<T> {
        let id = Id::from_index(self.nodes.len());
        self.nodes.push(node);
        id
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes with their ids, in the order in which they were added.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Id<T>, &T)> + ExactSizeIterator {
        self.nodes
            .iter()
            .enumerate()
            .map(|(index, node)| (Id::from_index(index), node))
    }

    /// All nodes with their ids, mutably.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Id<T>, &mut T)> {
        self.nodes
            .iter_mut()
            .enumerate()
            .map(|(index, node)| (Id::from_index(index), node))
    }

    /// All ids.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = Id<T>> + ExactSizeIterator + use<T> {
        (0..self.nodes.len()).map(Id::from_index)
    }

    /// The node, if the id belongs to this arena.
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        self.nodes.get(id.index())
    }
}

impl<T> Index<Id<T>> for Arena<T> {
    type Output = T;
    fn index(&self, id: Id<T>) -> &T {
        &self.nodes[id.index()]
    }
}

impl<T> IndexMut<Id<T>> for Arena<T> {
    fn index_mut(&mut self, id: Id<T>) -> &mut T {
        &mut self.nodes[id.index()]
    }
}

/// A value for each node of an arena, kept beside it. Nodes without an entry have the default.
#[derive(Clone, Debug)]
pub struct SideTable<K, V> {
    values: Vec<V>,
    default: V,
    kind: PhantomData<fn() -> K>,
}

impl<K, V: Clone> SideTable<K, V> {
    /// A table in which every node has `default`.
    pub fn new(default: V) -> Self {
        Self {
            values: Vec::new(),
            default,
            kind: PhantomData,
        }
    }

    /// Sets the entry of `id`.
    pub fn set(&mut self, id: Id<K>, value: V) {
        *self.entry(id) = value;
    }

    /// The entry of `id`, mutably.
    pub fn entry(&mut self, id: Id<K>) -> &mut V {
        if self.values.len() <= id.index() {
            self.values.resize(id.index() + 1, self.default.clone());
        }
        &mut self.values[id.index()]
    }
}

impl<K, V> Index<Id<K>> for SideTable<K, V> {
    type Output = V;
    fn index(&self, id: Id<K>) -> &V {
        self.values.get(id.index()).unwrap_or(&self.default)
    }
}
