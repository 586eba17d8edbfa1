use std::{collections::HashMap, env, fs};

use super::*;

const WORDS: [&str; 12] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "tea", "river", "walk", "rain", "the", "by", "##s", "a"];

/// Writes a model of one small layer with arbitrary weights.
pub(in crate::embed) fn write_tiny_model(folder: &Path, dimension: usize) {
    let config = serde_json::json!({
        "model_type": "bert", "vocab_size": WORDS.len(), "hidden_size": dimension, "num_hidden_layers": 1,
        "num_attention_heads": 2, "intermediate_size": 16, "hidden_act": "gelu", "hidden_dropout_prob": 0.1,
        "max_position_embeddings": 64, "type_vocab_size": 2, "initializer_range": 0.02, "layer_norm_eps": 1e-12,
        "pad_token_id": 0,
    });
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("config.json"), config.to_string()).unwrap();
    let vocab: serde_json::Map<_, _> = WORDS.iter().enumerate().map(|(at, word)| ((*word).into(), at.into())).collect();
    let special = |id: usize| {
        serde_json::json!({"id": id, "content": WORDS[id], "single_word": false, "lstrip": false, "rstrip": false,
            "normalized": false, "special": true})
    };
    let piece = |id: &str| serde_json::json!({"SpecialToken": {"id": id, "type_id": 0}});
    let text = serde_json::json!({"Sequence": {"id": "A", "type_id": 0}});
    let tokenizer = serde_json::json!({
        "version": "1.0",
        // As many published files have it; to be overridden.
        "truncation": {"max_length": 8, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": {"Fixed": 8}, "direction": "Right", "pad_to_multiple_of": null, "pad_id": 0,
            "pad_type_id": 0, "pad_token": "[PAD]"},
        "added_tokens": (0..4).map(special).collect::<Vec<_>>(),
        "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
            "strip_accents": null, "lowercase": true},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing",
            "single": [piece("[CLS]"), text, piece("[SEP]")],
            "pair": [piece("[CLS]"), text, piece("[SEP]")],
            "special_tokens": {
                "[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]},
                "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]},
            }},
        "decoder": null,
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocab},
    });
    fs::write(folder.join("tokenizer.json"), tokenizer.to_string()).unwrap();
    let mut seed = 1u32;
    let mut tensors: HashMap<String, Tensor> = HashMap::new();
    let mut add = |name: &str, shape: &[usize]| {
        let values: Vec<f32> = (0..shape.iter().product())
            .map(|_| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (seed >> 8) as f32 / (1 << 23) as f32 - 1.0
            })
            .collect();
        tensors.insert(name.to_owned(), Tensor::from_vec(values, shape, &Device::Cpu).unwrap());
    };
    let d = dimension;
    add("embeddings.word_embeddings.weight", &[WORDS.len(), d]);
    add("embeddings.position_embeddings.weight", &[64, d]);
    add("embeddings.token_type_embeddings.weight", &[2, d]);
    let layer = "encoder.layer.0";
    for (part, rows, columns) in [
        ("attention.self.query", d, d),
        ("attention.self.key", d, d),
        ("attention.self.value", d, d),
        ("attention.output.dense", d, d),
        ("intermediate.dense", 16, d),
        ("output.dense", d, 16),
    ] {
        add(&format!("{layer}.{part}.weight"), &[rows, columns]);
        add(&format!("{layer}.{part}.bias"), &[rows]);
    }
    let norms = ["attention.output.LayerNorm", "output.LayerNorm"].map(|part| format!("{layer}.{part}"));
    for norm in norms.iter().map(String::as_str).chain(["embeddings.LayerNorm"]) {
        add(&format!("{norm}.weight"), &[d]);
        add(&format!("{norm}.bias"), &[d]);
    }
    candle_core::safetensors::save(&tensors, folder.join("model.safetensors")).unwrap();
}

fn tiny() -> (tempfile::TempDir, BertEncoder) {
    let dir = tempfile::tempdir().unwrap();
    write_tiny_model(dir.path(), 8);
    let encoder = BertEncoder::load(dir.path(), "tiny").unwrap();
    (dir, encoder)
}

fn distance(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f32::max)
}

#[test]
fn company_and_order_do_not_change_a_vector() {
    let (_dir, encoder) = tiny();
    let long = "the river walk by rain ".repeat(10);
    let mut texts: Vec<&str> = vec!["tea", &long, "", "the walks by the river", "a", "rain rain tea", "🙂"];
    for at in 0..300 {
        texts.push(["tea rain", "walk", "the river by the rain a walk"][at % 3]);
    }
    let together = encoder.embed(&texts).unwrap();
    assert_eq!(together.len(), texts.len());
    for (text, vector) in texts.iter().zip(&together) {
        let alone = encoder.embed(&[text]).unwrap().remove(0);
        assert!(distance(vector, &alone) < 1e-5, "{text}");
    }
    assert!(distance(&together[0], &together[3]) > 0.01);
}

#[test]
fn one_reading_gives_the_vector_and_those_of_the_pieces_where_they_stand() {
    let (_dir, encoder) = tiny();
    let texts = ["The walks, by TÉA!", "", "tea 🙂 river", "rain"];
    let readings = encoder.read(&texts).unwrap();
    let vectors: Vec<_> = readings.iter().map(|reading| reading.vector.clone()).collect();
    assert_eq!(vectors, encoder.embed(&texts).unwrap());
    let spelt = |at: usize| readings[at].pieces.spans.iter().map(|span| &texts[at][span.clone()]).collect::<Vec<_>>();
    assert_eq!(spelt(0), ["The", "walk", "s", ",", "by", "TÉA", "!"]);
    assert_eq!(readings[1].pieces, Pieces::default());
    assert_eq!(spelt(2).first(), Some(&"tea"));
    for Reading { pieces, .. } in &readings {
        assert_eq!(pieces.vectors.len(), pieces.spans.len() * 8);
        let lengths = pieces.vectors.chunks(8).map(|piece| piece.iter().map(|x| x * x).sum::<f32>());
        assert!(lengths.into_iter().all(|length| (length - 1.0).abs() < 1e-5));
    }
    let tea = |text: &str| {
        let pieces = encoder.read(&[text]).unwrap().remove(0).pieces;
        let at = pieces.spans.iter().position(|span| &text[span.clone()] == "tea").unwrap();
        pieces.vectors[at * 8..(at + 1) * 8].to_vec()
    };
    assert!(distance(&tea("tea by the river"), &tea("tea rain")) > 1e-3, "a word is read in its sentence");
}

#[test]
fn odd_texts_give_zeros_or_unit_vectors() {
    let (_dir, encoder) = tiny();
    let (large, solid, blank) = ("tea ".repeat(1 << 18), "x".repeat(1 << 20), " ".repeat(1 << 20));
    let unreadable = ["", " \n", "🙂", "zzz qqq", "\0\u{200b}", &solid, &blank, "今日は"];
    for vector in encoder.embed(&unreadable).unwrap() {
        assert_eq!(vector, [0.0; 8]);
    }
    let readable = [&large as &str, "tea zzz", "\u{feff}tea\r\n", "TÉA", "[CLS] tea", "tea[PAD][PAD]"];
    for vector in encoder.embed(&readable).unwrap() {
        assert!((vector.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-5);
    }
    assert!(encoder.embed(&[]).unwrap().is_empty());
}

#[test]
fn more_than_the_file_says_is_read_and_no_more_than_the_model_can() {
    let (_dir, encoder) = tiny();
    let words = |n: usize| vec!["river"; n].join(" ") + " tea";
    let vectors = encoder.embed(&[&words(20), &words(21), &words(100), &words(101)]).unwrap();
    assert!(distance(&vectors[0], &vectors[1]) > 1e-4, "the file cuts at 8");
    assert!(distance(&vectors[2], &vectors[3]) < 1e-6, "the model has 64 places");
}

#[test]
fn the_first_token_can_stand_for_the_text() {
    let (dir, mean) = tiny();
    fs::create_dir(dir.path().join("1_Pooling")).unwrap();
    let write = |text: &str| fs::write(dir.path().join("1_Pooling/config.json"), text).unwrap();
    write(r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#);
    let cls = BertEncoder::load(dir.path(), "tiny").unwrap();
    assert_eq!(cls.usage.pooling, Pooling::Cls);
    assert_ne!(cls.stamp().checksum, mean.stamp().checksum);
    assert!(distance(&cls.embed(&["tea rain"]).unwrap()[0], &mean.embed(&["tea rain"]).unwrap()[0]) > 1e-3);
    write(r#"{"pooling_mode_max_tokens": true}"#);
    assert!(matches!(BertEncoder::load(dir.path(), "tiny"), Err(EmbedError::Damaged { .. })));
}

#[test]
fn damaged_or_missing_files_are_named() {
    for file in &FILES[..3] {
        let (dir, _) = tiny();
        let path = dir.path().join(file);
        let sound = fs::read(&path).unwrap();
        for length in [0, 1, 7, sound.len() / 3, sound.len() - 1] {
            fs::write(&path, &sound[..length]).unwrap();
            let error = BertEncoder::load(dir.path(), "tiny").unwrap_err();
            assert!(error.to_string().contains(file), "{error}");
        }
        fs::remove_file(&path).unwrap();
        assert!(matches!(BertEncoder::load(dir.path(), "tiny"), Err(EmbedError::Io { path: p, .. }) if p == path));
    }
}

#[test]
fn settings_that_do_not_fit_are_refused() {
    for (key, value) in [
        ("num_attention_heads", serde_json::json!(0)),
        ("num_attention_heads", serde_json::json!(3)),
        ("hidden_size", serde_json::json!(10)),
        ("hidden_size", serde_json::json!(0)),
        ("vocab_size", serde_json::json!(4)),
        ("max_position_embeddings", serde_json::json!(1)),
        ("num_hidden_layers", serde_json::json!(1_000_000_000)),
        ("hidden_act", serde_json::json!("tanh")),
        ("model_type", serde_json::json!("roberta")),
    ] {
        let (dir, _) = tiny();
        let path = dir.path().join("config.json");
        let mut config: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        config[key] = value;
        fs::write(&path, config.to_string()).unwrap();
        let error = BertEncoder::load(dir.path(), "tiny").unwrap_err();
        assert!(matches!(error, EmbedError::Damaged { .. }), "{key}: {error}");
    }
}

#[test]
fn weights_that_compute_no_numbers_are_an_error() {
    let (dir, _) = tiny();
    let path = dir.path().join("model.safetensors");
    let mut tensors = candle_core::safetensors::load(&path, &Device::Cpu).unwrap();
    let name = "encoder.layer.0.output.dense.bias";
    tensors.insert(name.to_owned(), Tensor::from_vec(vec![f32::NAN; 8], 8, &Device::Cpu).unwrap());
    candle_core::safetensors::save(&tensors, &path).unwrap();
    let encoder = BertEncoder::load(dir.path(), "tiny").unwrap();
    assert!(matches!(encoder.embed(&["tea"]), Err(EmbedError::Model { .. })));
}

#[test]
fn several_threads_may_ask_at_once() {
    let (_dir, encoder) = tiny();
    let expected = encoder.embed(&["tea", "rain"]).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..20).for_each(|_| assert_eq!(encoder.embed(&["tea", "rain"]).unwrap(), expected)));
        }
    });
}

/// The folder with all-MiniLM-L6-v2 (`config.json`, `tokenizer.json`, `model.safetensors`), if `KIOKU_TEST_MINILM` names one.
fn minilm() -> Option<BertEncoder> {
    let Some(folder) = env::var_os("KIOKU_TEST_MINILM") else {
        println!("skipped: KIOKU_TEST_MINILM does not name a folder with all-MiniLM-L6-v2");
        return None;
    };
    Some(BertEncoder::load(Path::new(&folder), "all-MiniLM-L6-v2").unwrap())
}

/// Lines of a judged file beside the repository.
fn judged(name: &str) -> Option<Vec<serde_json::Value>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/eval/dev/sts").join(name);
    let Ok(text) = fs::read_to_string(&path) else {
        println!("skipped: {} is not there", path.display());
        return None;
    };
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn minilm_agrees_with_the_reference() {
    let (Some(encoder), Some(lines)) = (minilm(), judged("minilm_reference.jsonl")) else { return };
    let texts: Vec<&str> = lines.iter().map(|line| line["text"].as_str().unwrap()).collect();
    assert_eq!(texts.len(), 40);
    let mut worst = 0f32;
    for (vector, line) in encoder.embed(&texts).unwrap().iter().zip(&lines) {
        let first: Vec<f32> = line["first16"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap() as f32).collect();
        assert_eq!(first.len(), 16);
        worst = worst.max(distance(&vector[..16], &first));
    }
    println!("largest difference {worst:.1e}");
    assert!(worst < 1e-4);
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let end = start + order[start..].iter().take_while(|at| values[**at] == values[order[start]]).count();
        order[start..end].iter().for_each(|at| ranks[*at] = (start + end - 1) as f64 / 2.0);
        start = end;
    }
    ranks
}

fn spearman(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() - 1) as f64 / 2.0;
    let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt()
}

#[test]
#[ignore = "embeds 9,000 sentences"]
fn minilm_judges_similarity_as_it_should() {
    let (Some(encoder), Some(lines)) = (minilm(), judged("sick_train.jsonl")) else { return };
    let started = std::time::Instant::now();
    let vectors = |key: &str| {
        let texts: Vec<&str> = lines.iter().map(|line| line[key].as_str().unwrap()).collect();
        encoder.embed(&texts).unwrap()
    };
    let cosines: Vec<f64> = vectors("a")
        .iter()
        .zip(vectors("b"))
        .map(|(a, b)| a.iter().zip(&b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum())
        .collect();
    let scores: Vec<f64> = lines.iter().map(|line| line["score"].as_f64().unwrap()).collect();
    let found = spearman(&cosines, &scores);
    println!("{} pairs: {found:.4}, {:.1} s", scores.len(), started.elapsed().as_secs_f32());
    assert!((found - 0.7782).abs() < 0.001);
}

#[test]
fn a_question_is_read_behind_its_prefix_and_a_passage_behind_its_own() {
    let (dir, plain) = tiny();
    fs::write(dir.path().join(usage::CARD), r#"{"query_prefix": "river: ", "passage_prefix": "rain: "}"#).unwrap();
    let marked = BertEncoder::load(dir.path(), "tiny").unwrap();
    assert_ne!(marked.stamp().checksum, plain.stamp().checksum, "vectors of the two must never mix");
    let alone = |text: &str| plain.embed(&[text]).unwrap().remove(0);
    assert!(distance(&marked.embed_queries(&["tea"]).unwrap()[0], &alone("river: tea")) < 1e-6);
    assert!(distance(&marked.embed(&["tea"]).unwrap()[0], &alone("rain: tea")) < 1e-6);
    assert_eq!(plain.embed_queries(&["tea"]).unwrap()[0], alone("tea"));
    // The prefix alone makes no text readable.
    assert_eq!(marked.embed(&["", "🙂", "zzz"]).unwrap(), vec![vec![0.0; 8]; 3]);
    let pieces = marked.read(&["tea"]).unwrap().remove(0).pieces;
    assert_eq!((pieces.spans.len(), &pieces.spans[0]), (1, &(0..3)), "what stands before the text is no piece of it");
}

/// The tokenizer of the tiny model as those of the e5 kind have it: sentencepiece Unigram.
fn write_unigram_tokenizer(folder: &Path) {
    let pieces: Vec<_> =
        ["<s>", "<pad>", "</s>", "<unk>", "\u{2581}", "\u{2581}tea", "\u{2581}tr", "à", "\u{2581}rain"]
            .iter()
            .enumerate()
            .map(|(at, piece)| serde_json::json!([piece, -(at as f64)]))
            .collect();
    // A table of normalisation that changes nothing: the size of its trie, 4096, and so many zeros.
    let charsmap = format!("ABAA{}AAA=", "AAAA".repeat(1365));
    let special = |id: usize, content: &str| {
        serde_json::json!({"id": id, "content": content, "single_word": false, "lstrip": false, "rstrip": false,
            "normalized": false, "special": true})
    };
    let piece = |id: &str| serde_json::json!({"SpecialToken": {"id": id, "type_id": 0}});
    let text = serde_json::json!({"Sequence": {"id": "A", "type_id": 0}});
    let tokenizer = serde_json::json!({
        "version": "1.0", "truncation": null, "padding": null,
        "added_tokens": [special(0, "<s>"), special(1, "<pad>"), special(2, "</s>"), special(3, "<unk>")],
        "normalizer": {"type": "Precompiled", "precompiled_charsmap": charsmap},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"},
            {"type": "Metaspace", "replacement": "\u{2581}", "add_prefix_space": true}]},
        "post_processor": {"type": "TemplateProcessing",
            "single": [piece("<s>"), text, piece("</s>")], "pair": [piece("<s>"), text, piece("</s>")],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]},
                "</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]}}},
        "decoder": {"type": "Metaspace", "replacement": "\u{2581}", "add_prefix_space": true},
        "model": {"type": "Unigram", "unk_id": 3, "vocab": pieces},
    });
    fs::write(folder.join("tokenizer.json"), tokenizer.to_string()).unwrap();
}

#[test]
fn a_sentencepiece_tokenizer_is_read() {
    let dir = tempfile::tempdir().unwrap();
    write_tiny_model(dir.path(), 8);
    write_unigram_tokenizer(dir.path());
    let encoder = BertEncoder::load(dir.path(), "tiny").unwrap();
    let row = encoder.tokens("", "trà tea", Wanted::Pieces).unwrap().unwrap();
    assert_eq!(row.ids, [0, 6, 7, 5, 2]);
    assert_eq!(
        row.places.iter().flatten().map(|place| &"trà tea"[place.clone()]).collect::<String>().replace(' ', ""),
        "tràtea"
    );
    let unreadable = ["", "  ", "🙂", "zz"];
    assert_eq!(encoder.embed(&unreadable).unwrap(), vec![vec![0.0; 8]; 4]);
    let vector = encoder.embed(&["trà"]).unwrap().remove(0);
    assert!((vector.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-5);
}
