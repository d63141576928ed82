use super::check;

#[test]
fn stops() {
    check(&[
        "Paris is the capital of France.‖ It lies on the Seine.",
        "Is it large?‖ Yes!‖ Very.",
        "No stop at all",
        "One sentence without a stop.‖ Another",
        "Really?!‖ Yes!!!‖ No way?!?!‖ Fine.",
        "It works‽‖ Good.",
        "Is it?‖ yes, it is.",
        "There is no space.Here the sentence goes on.‖ Here it does not.",
        "Two spaces.‖  Three.‖   A tab.‖\tA no-break space.‖\u{a0}End.",
        "She works at Yahoo! in the accounting department.",
        "The word ends.‖ iPhone sales rose.‖ macOS did not.",
        "The first ends.‖ the second begins in lower case.",
        "It was 5.‖ 12 people came.",
        "It ends with a number 2024.‖ The next begins.",
        "It is a dash.‖ – So is this.‖ — And this.",
    ]);
}

#[test]
fn abbreviations_within_a_sentence() {
    check(&[
        "Dr. Smith met Mr. and Mrs. Jones.‖ They talked.",
        "Prof. Dr. Weber and Sen. Warren agreed with Gen. Lee and Gov. Brown.",
        "Use a scripting language, e.g. Python or Ruby.‖ It is short.",
        "The largest, i.e. Paris, is the capital.",
        "Apples, pears, etc. are fruit.",
        "Real vs. Barcelona is on Sunday.‖ Roe v. Wade is not a match.",
        "See No. 5, Fig. 3, Vol. 2, pp. 12–14, Sec. 4.2 and Eq. 7.",
        "See fig. A1, Vol. II and Chap. IV.",
        "It weighs approx. 5 kg, ca. 11 lb, and costs max. 20 euros.",
        "On Jan. 5 and Sept. 12 St. Louis and Ft. Worth met on Mt. Hood.",
        "Apple Inc. CEO Tim Cook met Martin Luther King Jr. Day visitors at Johnson & Co. Headquarters.",
        "Acme Ltd. sells to Smith Bros. Hardware.",
        "The U.S. Government and the U.K. Parliament agreed at 5 a.m. on Monday.",
        "The non-U.S. Market (U.S. Markets excluded) grew.",
        "Vaswani et al. (2017) and Devlin et al. 2019 propose it.",
        "cf. Smith (2001), viz. Chapter 3 of the Ph.D. Thesis.",
        "The Dept. 4 office is on 5th Ave. North.",
        "**Dr.** Smith and (Dr. Who) and \"Dr. No\" are doctors.",
        "E.g. Paris, or approx. 12 others.‖ I.e. Rome.‖ Approx. 5.",
    ]);
}

#[test]
fn sentences_in_lower_case() {
    check(&[
        "paris is in france.‖ it has 2 million people.",
        "lyon is old.‖ nice is warm.‖ lille is neither.",
        "The sky is blue.‖ grass is green.‖ Water is wet.",
        "i like it.‖ we do.‖ they don't.",
        "It is in Paris.‖ it is in Rome.‖ he left.",
        "it grew in 2019.‖ then it shrank.‖ it cost 3.5 million.",
        "it is great!‖ we love it.‖ really?‖ yes.",
        "is he there?‖ no.‖ he left.",
        "- first item.‖ more of it.\n‖- second item.",
        "we sell pens, paper, etc. and ink.‖ students buy them.",
        "use python, e.g. this.‖ or ruby, i.e. that.",
        "dr. smith met mr. jones vs. the others at acme inc. in the u.s. on monday.",
        "it opens at 9 a.m. on monday.‖ it closes at 5 p.m. sharp.",
        "add 2 tbsp. sugar, 3 oz. flour and approx. five eggs.‖ stir.",
        "it is 6 ft. tall, 12 in. wide and weighs 5 lbs. without batteries.",
        "see no. 5, fig. 3 and vol. two.‖ then stop.",
        "the dept. of labor and misc. others agreed.",
        "J. K. Rowling wrote it.‖ she is british.",
        "Wait... what is it?‖ so it goes… on.",
        "She works at Yahoo! in the accounting department.",
        "\"This is great.\" she said.‖ he agreed.",
        "Ask the Dept. the Gov. the Sen. and the Calif. court.",
        "Das sind ca. zwei bzw. drei, z. B. die, usw. und einschl. der anderen.",
        "Am 3. und 4. Mai war der 2. in der Reihe dran.",
        "Voir p. ex. les autres, env. deux, etc. et rien.",
        "Visit example.com. then stop.",
        "это т.е. третье. и ещё.",
    ]);
}

#[test]
fn html() {
    check(&[
        "Paris is old.‖ <b>It</b> is large.‖ <i>lyon</i> is not.",
        "Paris is old.<br>‖It is large.<br/>\n‖Lyon is not.<br />",
        "<p>Paris is old.</p>‖<p>Lyon is large. </p>\n‖<p>Nice is warm.</p>",
        "<ul>\n<li>Paris is old.</li>\n‖<li>Lyon is large.</li>\n</ul>",
        "<b>Paris is old.</b>‖ Lyon is large.",
        "<b>Dr.</b> Smith and <i>e.g.</i> Jones came.",
        "See <a href=\"https://a.b/c. D\" title=\"One. Two.\">this</a>.‖ Then go.",
        "<strong>Note.</strong>‖ It is <em>late.</em>",
        "We know a <b.‖ So it goes.‖ And 1 <2.‖ Or not.",
        "The address <https://example.com/a.> is odd.",
        "Paris is old.<sup>[1]</sup>‖ Lyon is large.<sup>2</sup>‖ Nice is warm.",
    ]);
}

#[test]
fn abbreviations_at_the_end() {
    check(&[
        "We sell pens, paper, etc.‖ Students buy them.",
        "She works for Acme Inc.‖ It is large.",
        "He lives in the U.S.‖ He likes it.",
        "They left Washington, D.C.‖ The train was late.",
        "It opens at 9 a.m.‖ We close at 5 p.m.",
        "It began in Dec.‖ There was snow.",
        "She has a Ph.D.‖ Her thesis is on tea.",
        "This is by Smith et al.‖ They are right.",
        "The answer is no.‖ Nobody knows.‖ No.‖ I do.",
        "I like this fig.‖ It is sweet.",
        "He is with Sammy Davis Jr.‖ They sing.",
        "They met at Pitt & Co.‖ It closed.",
        "He lives on Main St.‖ The shop is near.",
        "Is she in the U.S.?‖ Yes.",
        "He lives in the U.S.!‖ Paris is far.",
        "(He works for Acme Inc.)‖ The company is old.",
        "It was him (i.e. Bob, Ann, etc.).‖ Then it was her.",
    ]);
}

#[test]
fn initials() {
    check(&[
        "J. K. Rowling wrote it.‖ J.R.R. Tolkien did not.",
        "It is by George W. Bush and Harry S. Truman.",
        "John F. Kennedy was president.‖ Albert I. Jones was not.",
        "We make a good team, you and I.‖ Did you see A. A. Milne?",
        "Take vitamin C.‖ It helps.",
        "This is plan B.‖ There is no plan C.",
        "Michael J. Fox and Michael B. Jordan act.",
        "A. The first answer.‖ B. The second.",
    ]);
}

#[test]
fn numbers() {
    check(&[
        "Pi is 3.14159.‖ It never ends.",
        "It costs $1,299.99.‖ That is much.",
        "It costs $100.‖ That is less than €5.5 million.",
        "Version v1.2.3 is out.‖ Node.js 20.11.1 is not.",
        "We run v2.0.‖ The next is v2.1.",
        "Section 3.2.1 explains it.‖ See section 4.",
        "3.2. Results of the survey.‖ They are good.",
        "Step 1. Open the box.‖ Step 2. Close it.",
        "1. The first item.‖ 2. The second item.",
        "It is at 10.30.‖ Be there at 7:45 p.m. sharp.",
        "The range is 1.5–2.5.‖ The mean is 2.0.",
        "The IP is 192.168.0.1.‖ Ping it.",
        "It grew in 2019.‖ 12% were lost.",
        ".5 is a half.‖ .NET is a platform, and .gitignore is a file.",
        "Growth was 5%.‖ Inflation was 2.‖ Prices fell.",
        "Revenue was 18,400 euros, up 6 %.‖ Rain jackets sold best.",
        "It is 20 °C.‖ Paris is at 10 km/h.‖ The wind is weak.",
    ]);
}

#[test]
fn addresses_and_files() {
    check(&[
        "See https://www.example.com/a.b/c.html?q=1.2&r=x.y.‖ It is there.",
        "Visit example.com.‖ Then read README.md.‖ Open src/main.rs and package.json.",
        "Is it at https://example.com/?‖ Yes.",
        "Write to jane.doe@example.co.uk.‖ She answers.",
        "Node.js and Vue.js are made with JavaScript.",
        "Import os.path and call a.b.C().‖ Then wait.",
        "Call `foo. Bar` and ``x. `Y``.‖ `z. A` is code.‖ So is `B.`",
        "Run `a.b! C? D`.‖ Then stop.",
        "The path is C:\\Temp\\a.txt.‖ It is old.",
        "Read [the guide. Part two](https://example.com/a.b) today.",
        "The address <https://example.com/a.> is odd.",
    ]);
}

#[test]
fn ellipses() {
    check(&[
        "Wait... what is it?",
        "I wonder…‖ Maybe not.",
        "I never meant that....‖ She left.",
        "Well…I think so.‖ Or not...‖ Yes.",
        "It was . . . odd.",
        "It was the end. . . .‖ Next came more.",
        "He said “[...] The rest [...] is silence” once.",
        "Bohr [...] used stairs [… and] more.",
        "...and then it stopped.‖ … Or not.",
        "Numbers 1, 2, ... 10 are small.",
    ]);
}

#[test]
fn quotations() {
    check(&[
        "She said, \"This is great.\"‖ Then she left.",
        "\"This is great.\" she said.",
        "“This is great!” she said.‖ “Is it?” he asked.",
        "'This is great.'‖ She left.",
        "He said: \"I came. I saw. I won.\"‖ Then he left.",
        "\"I came. I saw. I won,\" he said.",
        "\"I came.‖ I saw.\"‖ Then he left.",
        "He wrote “It is late. Go home!” on the wall.",
        "He wrote (‘It’s late. Go home!’) on the wall.",
        "The word “end.”‖ It is last.",
        "The screen is 27\" wide.‖ The other is 24\" wide.",
        "It's Peter's.‖ It isn't Mary's.‖ They can't.‖ Peter can.",
        "It was *great.*‖ It was **very great.**‖ ~~Not.~~‖ _Yes!_‖ End.",
        "He asked “why?” and “how?” twice.",
        "The sign said “Stop.”.‖ He stopped.",
    ]);
}

#[test]
fn brackets() {
    check(&[
        "He teaches (he was an engineer before.) at a school.",
        "It is large (see Fig. 3).‖ It is old.",
        "It is large.‖ (See Fig. 3.)‖ It is old.",
        "(It is late.‖ Go home.)‖ Then sleep.",
        "He thought (it was late. He was tired.) that he should go.",
        "He thought it was late (it was. He knew.)‖ He went.",
        "(A. B. Smith) and [C. D. Jones] came.",
        "An open ( bracket.‖ It does no harm.",
        "He came (it was. So) 5.‖ Then it rained.",
        "Smile :) at him.‖ Frown :( at her.‖ Go.",
        "The list: 1) one.‖ 2) two.",
        "It is {a.B} here.‖ So.",
    ]);
}

#[test]
fn text_after_a_stop() {
    check(&[
        "Great! 🎉‖ Next one.",
        "Done.🎉✨‖ Next. ⭐⭐‖ Last 👍🏽",
        "It rains.‖\n🌧️ is the sign.",
        "Paris is large.[1][2]‖ Rome is old.[^3]‖ Bonn is small.¹",
        "Paris is large. [1]‖ Rome is old. [2, 3]‖ Bonn is small.",
        "[1] Smith wrote it.‖ [2] Jones read it.",
        "Paris is large.【4†source】‖ Rome is old.",
        "Paris is large. ([guide.com](https://guide.com/a.b))‖ Rome is old.",
        "Paris is large.‖ [Rome](https://rome.it) is old.",
    ]);
}
