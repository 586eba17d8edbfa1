//! What a model costs: a question, an entry of 80 words, a batch of entries, and the memory it takes.
//!
//! The bundled models, and any BERT-family folder named by `KIOKU_BENCH_MODEL` (`model.safetensors`, `tokenizer.json`,
//! `config.json`).

use std::{fs, hint::black_box, path::PathBuf, sync::Arc};

use criterion::{BatchSize, BenchmarkGroup, Criterion, criterion_group, criterion_main, measurement::WallTime};
use kioku::embed::{BertEncoder, Encoder, bundled::Bundled};

const QUESTION: &str = "why did I sleep so badly last week";
/// Ten words, eight times.
const SENTENCE: &str = "We walked along the river and talked until it rained. ";
const BATCH: usize = 16;

/// Kilobytes in use, where the system tells.
fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.trim().parse().ok())
}

/// Loads a model and says on standard error what it took.
#[allow(clippy::print_stderr)]
fn measured(name: &str, load: impl FnOnce() -> Arc<dyn Encoder>) -> Arc<dyn Encoder> {
    let before = resident();
    let encoder = load();
    encoder.embed(&[QUESTION, &SENTENCE.repeat(8)]).expect("a loaded model reads a sentence");
    if let (Some(before), Some(after)) = (before, resident()) {
        eprintln!(
            "{name}: {:.1} MB resident after one question and one entry",
            after.saturating_sub(before) as f64 / 1e3
        );
    }
    encoder
}

fn model(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, encoder: &dyn Encoder) {
    let entry = SENTENCE.repeat(8);
    group.bench_function(format!("{name}/question"), |bencher| {
        bencher.iter(|| encoder.embed_queries(&[black_box(QUESTION)]));
    });
    group.bench_function(format!("{name}/entry of 80 words"), |bencher| {
        bencher.iter(|| encoder.embed(&[black_box(entry.as_str())]));
    });
    group.bench_function(format!("{name}/{BATCH} such entries"), |bencher| {
        bencher.iter_batched(|| vec![entry.as_str(); BATCH], |batch| encoder.embed(&batch), BatchSize::SmallInput);
    });
}

fn encoder(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("encoder");
    group.sample_size(20);
    for bundled in Bundled::ALL {
        let encoder = measured(bundled.name(), || bundled.load().expect("the model in the program is sound"));
        model(&mut group, bundled.name(), encoder.as_ref());
    }
    if let Some(folder) = std::env::var_os("KIOKU_BENCH_MODEL").map(PathBuf::from) {
        let load =
            || BertEncoder::load(&folder, "model").expect("KIOKU_BENCH_MODEL is the folder of a BERT-family model");
        model(&mut group, "model", measured("model", || Arc::new(load())).as_ref());
    }
    group.finish();
}

criterion_group!(benches, encoder);
criterion_main!(benches);
