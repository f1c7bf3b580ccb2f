//! Lists: items come, go and change, the others keep their bytes.

use super::{Edits, Front, quotes_of};
use crate::memory::Value;
use crate::memory::edit::same;
use crate::memory::frontmatter::spans::{Entry, Item, Kind, Node};
use crate::memory::frontmatter::write::{self, Quotes};

impl Front<'_> {
    /// A list over a list: items that stay keep their bytes.
    pub(super) fn set_list(
        &self,
        entry: &Entry,
        items: &[Item],
        old: &[Value],
        new: &[Value],
    ) -> Edits {
        let head = old.iter().zip(new).take_while(|(a, b)| same(a, b)).count();
        let most = old.len().min(new.len()) - head;
        let ends = old.iter().rev().zip(new.iter().rev()).take(most);
        let tail = ends.take_while(|(a, b)| same(a, b)).count();
        let (old_end, new_end) = (old.len() - tail, new.len() - tail);
        let inside = self.inside(entry);
        let mut edits = Edits::new();
        let middle = items.iter().enumerate().take(old_end).skip(head);
        for (index, item) in middle {
            match new.get(index).filter(|_| index < new_end) {
                Some(value) => edits.extend(self.set_node(entry, &item.node, value, inside)),
                None => edits.push((
                    self.item_range(items, index, inside, head.max(new_end)),
                    String::new(),
                )),
            }
        }
        let added = new.get(old_end.max(head)..new_end).unwrap_or_default();
        if !added.is_empty() {
            edits.extend(self.insert_items(entry, items, old_end, added));
        }
        edits
    }

    /// Returns the range removed with an item: its lines; in brackets, it and the comma on one
    /// side, the one before it if items stay before it (`kept` of them).
    fn item_range(
        &self,
        items: &[Item],
        index: usize,
        inside: bool,
        kept: usize,
    ) -> std::ops::Range<usize> {
        let Some(item) = items.get(index) else {
            return 0..0;
        };
        let range = item.lines.clone();
        if !inside {
            return range;
        }
        let before = index.checked_sub(1).and_then(|before| items.get(before));
        match (before, items.get(index + 1)) {
            (Some(before), _) if kept > 0 => before.lines.end..range.end,
            (_, Some(next)) => range.start..next.lines.start,
            (Some(before), None) => before.lines.end..range.end,
            (None, None) => range,
        }
    }

    /// New items before the item with this number, or at the end.
    fn insert_items(&self, entry: &Entry, items: &[Item], at: usize, new: &[Value]) -> Edits {
        let inside = self.inside(entry);
        let like = at
            .checked_sub(1)
            .and_then(|before| items.get(before))
            .or(items.first());
        let Some(like) = like else {
            return Edits::new();
        };
        let quotes = quotes_of(&like.node.kind);
        let text = |value: &Value| write::inline(value, quotes, inside);
        if !inside {
            let place = if at == 0 {
                like.lines.start
            } else {
                like.lines.end
            };
            let dash = self.get(like.lines.start..like.node.range.start);
            // Below a dash alone, or with a comment between, the shape is not one to repeat.
            let dash = if dash.contains(['\n', '#']) || !dash.ends_with(' ') {
                let end = dash.find('-').map_or(0, |at| at + 1);
                format!("{} ", dash.get(..end).unwrap_or_default())
            } else {
                dash.to_owned()
            };
            let line = |value: &Value| format!("{dash}{}{}", text(value), self.eol);
            return vec![(place..place, new.iter().map(line).collect())];
        }
        let gap = match items {
            [.., before, last] => self.get(before.lines.end..last.lines.start),
            _ => ", ",
        };
        let gap = if gap.contains('#') { ", " } else { gap };
        let mut edits = String::new();
        for value in new {
            if at == 0 {
                edits = edits + &text(value) + gap;
            } else {
                edits = edits + gap + &text(value);
            }
        }
        let place = if at == 0 {
            like.lines.start
        } else {
            like.lines.end
        };
        vec![(place..place, edits)]
    }

    pub(super) fn add_item(&self, entry: &Entry, old: &Value, item: &Value) -> Edits {
        let alone: Value = [item.clone()].into_iter().collect();
        match &entry.node.kind {
            Kind::Flow(items) if items.is_empty() => {
                let at = entry.node.range.start + 1;
                vec![(
                    at..at,
                    write::inline(item, write::quotes(self.schema, &entry.key), true),
                )]
            }
            Kind::Flow(items) | Kind::Lines(items) => {
                self.insert_items(entry, items, items.len(), std::slice::from_ref(item))
            }
            Kind::Empty => self.set(entry, old, &alone),
            _ if *old == Value::Null => self.set(entry, old, &alone),
            _ => {
                let both = old.items().cloned().chain([item.clone()]).collect();
                self.set(entry, old, &both)
            }
        }
    }

    /// True if a scalar means the same in brackets as it is written.
    pub(super) fn stands_inside(&self, node: &Node, value: &Value) -> bool {
        !matches!(node.kind, Kind::Plain)
            || self.get(node.range.clone()) == write::inline(value, Quotes::Plain, true)
    }

    pub(super) fn remove_item(&self, entry: &Entry, index: usize) -> Edits {
        match &entry.node.kind {
            Kind::Flow(items) if items.len() > 1 => {
                vec![(self.item_range(items, index, true, index), String::new())]
            }
            Kind::Lines(items) if items.len() > 1 => {
                vec![(self.item_range(items, index, false, index), String::new())]
            }
            _ => self.replace(entry, "[]"),
        }
    }

    /// Items trade places; the lines, commas and comments around them stay.
    pub(super) fn move_item(&self, items: &[Item], from: usize, to: usize) -> Edits {
        let mut order: Vec<usize> = (0..items.len()).collect();
        if from < order.len() && to < order.len() {
            let item = order.remove(from);
            order.insert(to, item);
        }
        let moved = items
            .iter()
            .zip(order)
            .enumerate()
            .filter(|(place, (_, from))| place != from);
        moved
            .filter_map(|(_, (item, from))| {
                let text = self.get(items.get(from)?.node.range.clone());
                Some((item.node.range.clone(), text.to_owned()))
            })
            .collect()
    }
}
