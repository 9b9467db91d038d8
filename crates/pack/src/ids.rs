//! Typed indexes. An id is the index of an item in one list of a pack, and [`IdVec`] is a list that
//! only its own type of id can index. Ids sort in the order of the sheet. They never leave the
//! process: logs, requests and arguments use names, so that a later version of the pack can read
//! them.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Index, IndexMut};

/// An index into a list of one type.
pub trait Id: Copy + Eq {
    /// The id of the item at this index.
    fn from_index(index: usize) -> Self;
    /// The index, counted from 0.
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($name:ident: $what:literal,)+) => {
        $(
            #[doc = concat!("The index of ", $what, ".")]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
            #[repr(transparent)]
            pub struct $name(u32);

            impl $name {
                /// The first id.
                pub const FIRST: $name = $name(0);
            }

            impl Id for $name {
                #[inline]
                fn from_index(index: usize) -> $name {
                    // The files of a pack are limited to a few megabytes, so no list comes near
                    // this limit.
                    $name(index as u32)
                }

                #[inline]
                fn index(self) -> usize {
                    self.0 as usize
                }
            }
        )+
    };
}

ids! {
    ChartId: "a chart of a pack",
    FightId: "a fight of a pack",
    OptionId: "an option of a pack",
    MemoryId: "a memory of a pack",
    KindId: "a kind of unit of a pack",
    StatusId: "a status of a pack",
    ReadingId: "a reading of a pack",
    PhaseId: "a phase of a pack's turn",
    TemplateId: "a template of a pack",
    StartId: "a start of a pack",
    EndingId: "an ending of a pack",
    DieId: "a die of a pack",
    ListId: "a list of a pack",
    DeckId: "a deck of a pack",
    ResultId: "a result of a pack",
    UserTableId: "a user table of a pack",
    AttributeId: "an attribute of a kind of unit",
    FieldId: "a field of a deck's cards",
    StartSideId: "a side of a start",
    RoleId: "a role of a chart",
    InputId: "an input of a chart",
    StepId: "a step of a chart",
    ModifierId: "a modifier of a step",
    AgainId: "an again rule of a step",
    RowId: "a row of a chart's table",
    ColumnId: "a column of a chart's table",
    AlsoId: "an additional result of a chart",
    TallyId: "a tally of a chart",
    BindingId: "a result binding of a chart",
    FightSideId: "a side of a fight",
    FightInputId: "an input of a fight",
    Slot: "a name in the expressions of a chart, a fight or the turn",
}

impl Default for PhaseId {
    fn default() -> PhaseId {
        PhaseId::FIRST
    }
}

/// A list that is indexed by `I`. It reads like a slice, but an id of another list does not index
/// it:
///
/// ```
/// use adjutant_pack::{Chart, ChartId, Pack};
/// fn chart(pack: &Pack, id: ChartId) -> &Chart {
///     &pack.charts()[id]
/// }
/// ```
/// ```compile_fail,E0308
/// use adjutant_pack::{Chart, Pack, RoleId};
/// fn chart(pack: &Pack, id: RoleId) -> &Chart {
///     &pack.charts()[id]
/// }
/// ```
/// ```compile_fail,E0308
/// use adjutant_pack::{Chart, Pack};
/// fn chart(pack: &Pack) -> &Chart {
///     &pack.charts()[0_usize]
/// }
/// ```
pub struct IdVec<I, T> {
    items: Vec<T>,
    ids: PhantomData<fn(I) -> I>,
}

impl<I: Id, T> IdVec<I, T> {
    /// An empty list.
    pub const fn new() -> IdVec<I, T> {
        IdVec { items: Vec::new(), ids: PhantomData }
    }

    /// An empty list with room for `capacity` items.
    pub fn with_capacity(capacity: usize) -> IdVec<I, T> {
        Vec::with_capacity(capacity).into()
    }

    /// A list of `len` copies of an item.
    pub fn filled(item: T, len: usize) -> IdVec<I, T>
    where
        T: Clone,
    {
        vec![item; len].into()
    }

    /// Adds an item and returns its id.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::from_index(self.items.len() - 1)
    }

    /// The items without their ids.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }

    /// The item of an id, if it exists.
    #[inline]
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// A mutable reference to the item of an id, if it exists.
    #[inline]
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.items.get_mut(id.index())
    }

    /// All ids, in order.
    pub fn ids(
        &self,
    ) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + Clone + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    /// All items with their ids.
    pub fn iter_enumerated(
        &self,
    ) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator + Clone {
        self.items.iter().enumerate().map(|(index, item)| (I::from_index(index), item))
    }

    /// All items with their ids, mutable.
    pub fn iter_mut_enumerated(&mut self) -> impl Iterator<Item = (I, &mut T)> {
        self.items.iter_mut().enumerate().map(|(index, item)| (I::from_index(index), item))
    }

    /// The id of the first item that matches.
    pub fn position(&self, fits: impl FnMut(&T) -> bool) -> Option<I> {
        self.items.iter().position(fits).map(I::from_index)
    }

    /// The id of the last item that matches.
    pub fn rposition(&self, fits: impl FnMut(&T) -> bool) -> Option<I> {
        self.items.iter().rposition(fits).map(I::from_index)
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I, T> Deref for IdVec<I, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<I, T> DerefMut for IdVec<I, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

impl<I, T> From<Vec<T>> for IdVec<I, T> {
    fn from(items: Vec<T>) -> IdVec<I, T> {
        IdVec { items, ids: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<A: IntoIterator<Item = T>>(items: A) -> IdVec<I, T> {
        Vec::from_iter(items).into()
    }
}

impl<I, T> Extend<T> for IdVec<I, T> {
    fn extend<A: IntoIterator<Item = T>>(&mut self, items: A) {
        self.items.extend(items);
    }
}

impl<I, T> IntoIterator for IdVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> std::vec::IntoIter<T> {
        self.items.into_iter()
    }
}

impl<'a, I, T> IntoIterator for &'a IdVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> std::slice::Iter<'a, T> {
        self.items.iter()
    }
}

impl<'a, I, T> IntoIterator for &'a mut IdVec<I, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> std::slice::IterMut<'a, T> {
        self.items.iter_mut()
    }
}

impl<I, T: Clone> Clone for IdVec<I, T> {
    fn clone(&self) -> IdVec<I, T> {
        self.items.clone().into()
    }

    fn clone_from(&mut self, other: &IdVec<I, T>) {
        self.items.clone_from(&other.items);
    }
}

impl<I, T> Default for IdVec<I, T> {
    fn default() -> IdVec<I, T> {
        Vec::new().into()
    }
}

impl<I, T: fmt::Debug> fmt::Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.fmt(f)
    }
}

impl<I, T: PartialEq> PartialEq for IdVec<I, T> {
    fn eq(&self, other: &IdVec<I, T>) -> bool {
        self.items == other.items
    }
}

impl<I, T: Eq> Eq for IdVec<I, T> {}

impl<I, T: std::hash::Hash> std::hash::Hash for IdVec<I, T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.items.hash(state);
    }
}

impl<I, T: PartialOrd> PartialOrd for IdVec<I, T> {
    fn partial_cmp(&self, other: &IdVec<I, T>) -> Option<std::cmp::Ordering> {
        self.items.partial_cmp(&other.items)
    }
}

impl<I, T: Ord> Ord for IdVec<I, T> {
    fn cmp(&self, other: &IdVec<I, T>) -> std::cmp::Ordering {
        self.items.cmp(&other.items)
    }
}
