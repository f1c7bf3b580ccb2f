//! `memkeep stats`: the figures of golemcore's section 12 for every store, from a preview, the journal
//! and the record of use; a figure without a source is left out.

use super::inject::asked;
use super::prelude::*;
use crate::memory::worth::Worth;
use crate::retrieval::Reason;
use crate::workspace::preview::StorePreview;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Figures of a pack need a task; promotions and expiries are those of changes in force; the hit rate is the share \
of given memories that answers drew on, as `memkeep used` recorded it.")]
pub struct Stats {
    /// A task, for the figures of its pack; `-` reads standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub task: Option<String>,
    /// A file the task touches
    #[arg(long = "file", value_name = "PATH", requires = "task")]
    pub files: Vec<String>,
    /// How to print
    #[arg(long, default_value = "table", value_parser = one_of(PLAIN))]
    pub format: Format,
}

/// The figures of a pack, under golemcore's names; null without a preview.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Pack {
    #[serde(rename = "memory.pack.tokens")]
    tokens: Option<usize>,
    #[serde(rename = "memory.pack.items.selected")]
    selected: Option<usize>,
    #[serde(rename = "memory.pack.items.dropped")]
    dropped: Option<usize>,
    #[serde(rename = "memory.retrieval.latency.ms")]
    latency: Option<f64>,
}

impl Pack {
    /// The figures of a preview. Dropped are memories that match the task and find no place.
    pub fn new(preview: &StorePreview) -> Self {
        let of = &preview.preview;
        let reasons = [Reason::OverLimit, Reason::OverBudget, Reason::Duplicate];
        let dropped = of.rejected.iter();
        let dropped = dropped.filter(|one| reasons.contains(&one.reason));
        Self {
            tokens: Some(of.tokens()),
            selected: Some(of.selected.len()),
            dropped: Some(dropped.count()),
            latency: Some((preview.elapsed.as_secs_f64() * 10_000.0).round() / 10.0),
        }
    }

    pub fn lines(&self) -> impl Iterator<Item = String> {
        let all = json!(self).as_object().cloned().into_iter().flatten();
        let all = all.filter(|(_, figure)| !figure.is_null());
        all.map(|(name, figure)| format!("{name} {figure}"))
    }
}

#[derive(Default, Serialize)]
struct Figures {
    id: String,
    memories: usize,
    #[serde(flatten)]
    worth: Worth,
    #[serde(rename = "memory.hit.rate")]
    hit_rate: Option<f64>,
    #[serde(rename = "memory.promotion.count")]
    promotions: usize,
    #[serde(rename = "memory.decay.deleted")]
    expiries: usize,
    #[serde(flatten)]
    pack: Pack,
}

type Counted<'m> = (&'m Arc<Memory>, Worth);

fn figures(
    ws: &Workspace,
    args: &Stats,
    memories: &[Arc<Memory>],
    given: &[Counted<'_>],
) -> Result<BTreeMap<String, Figures>> {
    let own = ws.collection.infos().filter(|info| !info.kind.is_context);
    let own = own.map(|info| {
        let of_store = memories.iter().filter(|one| one.id.store == info.id);
        let mut of = Figures {
            id: info.id.to_string(),
            memories: of_store.filter(|one| one.state == State::Active).count(),
            ..Figures::default()
        };
        for (_, worth) in given.iter().filter(|(one, _)| one.id.store == info.id) {
            of.worth.given += worth.given;
            of.worth.drawn += worth.drawn;
            of.worth.against += worth.against;
        }
        let (given, drawn) = (of.worth.given, of.worth.drawn);
        of.hit_rate = (given > 0).then(|| f64::from(drawn) / f64::from(given));
        (of.id.clone(), of)
    });
    let mut stores: BTreeMap<String, Figures> = own.collect();
    for entry in ws.collection.applied()? {
        let promoted = entry.ids.iter().filter(|_| entry.action == "promote");
        let expired = entry.plan.reasons.iter();
        let expired = expired.filter(|(_, why)| why.contains("expired on "));
        let ids = promoted.map(|id| (id, true));
        for (id, is_promotion) in ids.chain(expired.map(|(id, _)| (id, false))) {
            let store = id.split_once(':').map_or("", |(store, _)| store);
            if let Some(of) = stores.get_mut(store) {
                of.promotions += usize::from(is_promotion);
                of.expiries += usize::from(!is_promotion);
            }
        }
    }
    if let Some(task) = &args.task {
        for of in asked(ws, (task, &args.files), Format::Json)?.2 {
            if let Some(figures) = stores.get_mut(&of.store) {
                figures.pack = Pack::new(&of);
            }
        }
    }
    Ok(stores)
}

pub fn stats(ws: &Workspace, args: &Stats, output: &mut Output) -> Result<u8> {
    let memories = ws.load();
    let worths = ws.worths();
    let given = memories.iter();
    let given = given.filter_map(|one| Some((one, worths.of(&one.id)?)));
    let given = given.sorted_by_key(|(_, worth)| std::cmp::Reverse((worth.drawn, worth.given)));
    let given: Vec<Counted<'_>> = given.collect();
    let stores = figures(ws, args, &memories, &given)?;
    if args.format == Format::Json {
        let rows = given.iter().map(|(one, worth)| {
            let id = one.id.to_string();
            json!({
                "id": id, "title": &*one.title, "given": worth.given, "drawn": worth.drawn,
                "against": worth.against,
            })
        });
        let (stores, rows) = (stores.values().collect_vec(), rows.collect_vec());
        let recording = ws.records_worth();
        output.print_json(&json!({"recording": recording, "stores": stores, "memories": rows}))?;
        return Ok(exit::DONE);
    }
    for (id, of) in &stores {
        let rate = of.hit_rate.map(|rate| rate * 100.0);
        let rate = rate.map(|rate| format!(" · hit rate {rate:.0} %"));
        let (rate, worth) = (rate.unwrap_or_default(), of.worth);
        let head = format!("{}  memories: {}; {worth}{rate}", safe(id), of.memories);
        output.heading(&head)?;
        let steps = [
            ("memory.promotion.count", of.promotions),
            ("memory.decay.deleted", of.expiries),
        ];
        let steps = steps.iter().filter(|(_, count)| *count > 0);
        let steps = steps.map(|(name, count)| format!("{name} {count}"));
        output.lines(of.pack.lines().chain(steps).map(|line| format!("  {line}")))?;
        let own = |(one, _): &&Counted<'_>| one.id.store.to_string() == *id;
        for (one, worth) in given.iter().filter(own) {
            writeln!(output, "  {worth}  {}", safe(&mask(&one.title)))?;
        }
    }
    if !ws.records_worth() {
        note("note: use is not recorded: `[worth] record = true` in your configuration");
    }
    Ok(exit::DONE)
}
