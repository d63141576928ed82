use super::split;

/// Each sentence of a text with its ancestors, innermost first; `-` without any.
fn outline(text: &str) -> Vec<String> {
    let sentences = split(text);
    let parent = |index: usize| sentences.get(index).and_then(|sentence| sentence.place.parent);
    let line = |index: usize| sentences[index].text.lines().next().unwrap_or_default();
    (0..sentences.len())
        .map(|index| {
            let above = std::iter::successors(parent(index), |index| parent(*index));
            let above: Vec<&str> = above.map(line).collect();
            format!("{} < {}", line(index), if above.is_empty() { "-".to_owned() } else { above.join(" < ") })
        })
        .collect()
}

#[test]
fn headings() {
    assert_eq!(
        outline(
            "Hi.\n# A\nOne.\n## B\nTwo. Three.\n### C\n## D\n**E**\nFour.\n**F:**\n# G\nFive.\n\nH\n===\nSix."
        ),
        [
            "Hi. < -",
            "# A < -",
            "One. < # A",
            "## B < # A",
            "Two. < ## B < # A",
            "Three. < ## B < # A",
            "### C < ## B < # A",
            "## D < # A",
            "**E** < ## D < # A",
            "Four. < **E** < ## D < # A",
            "**F:** < ## D < # A",
            "# G < -",
            "Five. < # G",
            "H < -",
            "Six. < H",
        ]
    );
}

#[test]
fn lists() {
    assert_eq!(
        outline(
            "One. Two:\n- Ada. More.\n  - b\n    - c\n- d\n\n  More of d.\n  - e\n\nThree:\n1. f\n\n---\n\n- g"
        ),
        [
            "One. < -",
            "Two: < -",
            "- Ada. < Two:",
            "More. < - Ada. < Two:",
            "- b < More. < - Ada. < Two:",
            "- c < - b < More. < - Ada. < Two:",
            "- d < Two:",
            "More of d. < - d < Two:",
            "- e < More of d. < - d < Two:",
            "Three: < -",
            "1. f < Three:",
            "--- < -",
            "- g < -",
        ]
    );
    // Item titles, each with an explanation on the next line.
    assert_eq!(
        outline("1. **A**\n   One. Two.\n2. **B**\nThree.\n\nFour.\n> - c\n> - d\n\nFive."),
        [
            "1. **A** < -",
            "One. < 1. **A**",
            "Two. < 1. **A**",
            "2. **B** < -",
            "Three. < 2. **B**",
            "Four. < -",
            "> - c < Four.",
            "> - d < Four.",
            "Five. < -",
        ]
    );
}

#[test]
fn tables() {
    assert_eq!(
        outline("# T\nSizes:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\nEnd.\n\na | b\n--- | ---\n5 | 6"),
        [
            "# T < -",
            "Sizes: < # T",
            "| a | b | < Sizes: < # T",
            "| 1 | 2 | < | a | b | < Sizes: < # T",
            "| 3 | 4 | < | a | b | < Sizes: < # T",
            "End. < # T",
            "a | b < End. < # T",
            "5 | 6 < a | b < End. < # T",
        ]
    );
}

#[test]
fn code_and_lines_between_paragraphs_have_nothing_below_them() {
    assert_eq!(
        outline("One:\n```js\na();\n```\n- b\n  ```\n  c\n  ```\n- d\n***\nTwo.\n---\n- e"),
        [
            "One: < -",
            "```js < One:",
            "- b < One:",
            "``` < - b < One:",
            "- d < One:",
            "*** < -",
            "Two. < -",
            "- e < Two."
        ]
    );
}
