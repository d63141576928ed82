use super::check;

#[test]
fn paragraphs() {
    check(&[
        "The first line\ngoes on here.‖ The next\nsentence too.",
        "The first paragraph‖\n\nThe second.‖\n \t\nThe third",
        "Windows\r\nlines.‖\r\nMore of\r\nthem‖\r\n\r\nhere.",
        "It had in its\n14. August row nothing.",
        "It costs five\n–six euros.",
        "Rue de Paris 5  \n‖75001 Paris\\\n‖France",
        "An old Mac\rline.‖\rAnd one more.",
        "The rest of the\n#5 hashtag",
    ]);
}

#[test]
fn headings() {
    check(&[
        "# Title‖\nText.",
        "Text‖\n## 1. What is it? A guide.‖\nMore text",
        "### A\n‖### B\n\n‖####### seven",
        "Title\n=====‖\nText.",
        "Title\n-----‖\nText.‖ More.\n---‖\nEnd.",
        "**A bold line**‖\nText.",
        "Text goes on‖\n**Note:**‖\nMore.‖\n**Other**:‖\nEnd.",
        "**Bold.**‖ It goes on.",
        "**Not** a **title**\nbut prose.",
        "One.‖\n\n---‖\n\nTwo.‖\n***‖\nThree.‖\n\n* * *",
    ]);
}

#[test]
fn lists() {
    check(&[
        "Here is a list:‖\n- One‖\n- Two.‖ And more.‖\n- Three",
        "- One\n  goes on‖\n* Two‖\n+ Three‖\n• Four‖\n◦ Five",
        "1. One.‖\n2. Two.‖\n3) Three.‖\n10. Ten.‖\n(4) Four.‖\n5.) Five.",
        "The steps are\n‖1. Open the box\n‖2. Close it\n   again.‖ Wait.",
        "a) One‖\nb) Two‖\n(c) Three",
        "- One\n‖  - Two\n‖    1. Three\n‖    2. Four\n‖  - Five\n\n‖- Six",
        "- One.\n\n‖  More of one.\n‖- Two",
        "1. **Paris**\n‖   It is large.\n‖2. **Rome:** It is old.\n‖- [ ] To do. ‖Soon.\n‖- [x] Done.",
        "1. Dr. Smith came.‖\n2. A. Jones left.‖\n3. 5 others stayed.",
        "- A. B. Smith:‖\n  - It is.",
        "The party has\n12.‖ It lost three.",
        "* **Area:** 105.4 km².‖ **Mayor:** A. Hidalgo.\n‖* *Note*: etc.",
        "- - nested.‖ So.\n‖- \n‖- c",
    ]);
}

#[test]
fn tables() {
    check(&[
        "Cities:‖\n| City | Area. Total |\n|---|:---:|‖\n| Paris | 105. Large |‖\n| Rome | 1,285. |‖\n\nText.",
        "City | Area\n--- | ---‖\nParis | 105. Large‖\nRome | 1285‖\n\nText | and more.",
        "| a |\n|---|‖\n| b |‖\nText follows.",
        "+---+\n‖| a |\n+---+\n‖| b |\n+---+",
    ]);
}

#[test]
fn code() {
    check(&[
        "Run this:‖\n```js\na(); // First. Second.\n\nb();\n```‖\nIt works.",
        "~~~\n# No heading. Text.\n```\n~~~‖\nText.",
        "```\nnever closed. So.\n\n- on",
        "1. First:‖\n   ```sh\n   a. B\n   ```‖\n2. Then",
        "- ```\n  a. B\n  ```‖\n- b",
        "> ```\n> a. B\n> ```‖\n> Text.",
        "> ```\n> a. B‖\n\nText.‖ More.",
        "```\r\na. B\r\n```‖\r\nText.",
        "``` not a fence ``` here.‖ Text.",
    ]);
}

#[test]
fn quotes() {
    check(&[
        "> A quote\n> goes on.‖\n> It ends.‖\n\nText.",
        "He said:‖\n> One.\n‖>\n‖> Two.\n‖He left.",
        "> - One\n‖> - Two\n‖> # Three",
        "> > Deep.‖ Deeper.\n> > still",
    ]);
}

#[test]
fn footnotes() {
    check(&[
        "It is.[^1]\n\n‖[^1]: Smith 2001.\n‖[2]: https://example.com/a.b\n‖[^c]: Jones.",
        "Sources:‖\n[1] Smith 2001‖\n[2] Jones 2002",
        "A link:\n[Rome](https://rome.it) is it.",
    ]);
}
