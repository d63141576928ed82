use super::{Direction, ScoreScale};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The folder of the generated files of the package: the scales, and the scale of each key. Evaluators load only the first.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/pkg-template/src/core/");

/// The scales of all metrics, by key.
fn all() -> Vec<(&'static str, ScoreScale)> {
    let text = crate::metrics::text::SCALES.iter().copied();
    let others = [
        crate::metrics::retrieval::SCALES,
        crate::string::levenshtein::SCALES,
        crate::string::embedding_similarity::SCALES,
        crate::json_match::SCALES,
        crate::trajectory::SCALES,
        crate::agents::SCALES,
        crate::judge::SCALES,
        crate::statistics::expected_score::SCALES,
        crate::statistics::classification::SCALES,
        crate::recipes::SCALES,
        crate::rag::SCALES,
    ];
    text.chain(others).flatten().copied().collect()
}

/// The generated files, with their names. Shared scales are named constants.
fn generated() -> [(&'static str, String); 2] {
    let command =
        "Generated from the `SCALES` tables of the engine: `UPDATE_SCALES=1 cargo test scales`. */\n\n";
    let mut code = format!(
        "/** What the scores of metrics mean. {command}import type {{ ScoreScale }} from \"./types.js\";\n"
    );
    let shared = [
        ("VERDICT", ScoreScale::VERDICT),
        ("SHARE", ScoreScale::SHARE),
        ("LOSS", ScoreScale::LOSS),
        ("CORRELATION", ScoreScale::CORRELATION),
        ("PERCENTAGE", ScoreScale::PERCENTAGE),
    ];
    for (name, scale) in shared {
        writeln!(code, "\n/** {} */\n{}", documentation(name), constant(name, &scale)).unwrap();
    }
    let mut rows = String::new();
    let mut names = BTreeSet::new();
    for (key, scale) in all() {
        let name = match shared.iter().find(|(_, same)| *same == scale) {
            Some((name, _)) => (*name).to_owned(),
            None => {
                let name = key.to_uppercase();
                writeln!(code, "\n{}", constant(&name, &scale)).unwrap();
                name
            }
        };
        writeln!(rows, "  {key}: {name},").unwrap();
        // The package's formatter sorts `_` before letters.
        names.insert(name.replace('_', " "));
    }
    let names: String = names.iter().map(|name| format!("  {},\n", name.replace(' ', "_"))).collect();
    let by_key = format!(
        "/** The scales, by result key. {command}import {{\n{names}}} from \"./scales.js\";\n\
         import type {{ ScoreScale }} from \"./types.js\";\n\n\
         export const SCALES: Readonly<Record<string, ScoreScale>> = {{\n{rows}}};\n"
    );
    [("scales.ts", code), ("scales-by-key.ts", by_key)]
}

/// The documentation of a constant in `scale.rs`, which is one line.
fn documentation(name: &str) -> &'static str {
    let (before, _) = include_str!("../scale.rs").split_once(&format!("pub const {name}: ")).unwrap();
    before.lines().rev().find_map(|line| line.trim().strip_prefix("/// ")).unwrap()
}

/// A declaration in the style of the package's formatter.
fn constant(name: &str, ScoreScale { min, max, direction, pass_at, unit }: &ScoreScale) -> String {
    let number = |name, value: &Option<f64>| value.map(|value| format!("{name}: {value}"));
    let direction = direction.map(|direction| match direction {
        Direction::Higher => "direction: \"higher\"".to_owned(),
        Direction::Lower => "direction: \"lower\"".to_owned(),
    });
    let unit = unit.map(|unit| format!("unit: \"{unit}\""));
    let fields = [number("min", min), number("max", max), direction, number("passAt", pass_at), unit];
    let fields: Vec<_> = fields.into_iter().flatten().collect();
    let line = format!("export const {name}: ScoreScale = {{ {} }};", fields.join(", "));
    if line.len() <= 110 {
        return line;
    }
    format!("export const {name}: ScoreScale = {{\n  {},\n}};", fields.join(",\n  "))
}

#[test]
fn the_package_has_the_scales_of_all_metrics() {
    for (name, wanted) in generated() {
        let file = format!("{FOLDER}{name}");
        if std::env::var_os("UPDATE_SCALES").is_some() {
            std::fs::write(&file, &wanted).unwrap();
        }
        let found = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(found == wanted, "{file} is not up to date: run `UPDATE_SCALES=1 cargo test scales`");
    }
}

#[test]
fn every_scale_makes_sense() {
    let mut keys: Vec<_> = all().into_iter().map(|(key, _)| key).collect();
    for (key, ScoreScale { min, max, direction, pass_at, .. }) in all() {
        let mark = pass_at.unwrap_or_default();
        assert!(min.is_none_or(|min| pass_at.is_none() || min <= mark), "{key} passes below its range");
        assert!(max.is_none_or(|max| pass_at.is_none() || mark <= max), "{key} passes above its range");
        assert!(pass_at.is_none() || direction.is_some(), "{key} has a mark and no direction");
    }
    keys.sort_unstable();
    let count = keys.len();
    keys.dedup();
    assert_eq!(keys.len(), count, "a key has two scales");
}
