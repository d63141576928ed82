use super::check;

#[test]
fn german() {
    check(&[
        "Das ist z. B. Berlin, z.B. Hamburg oder d.h. Die Linke.‖ Es regnet.",
        "Am 3. Oktober und am 1. Mai wird gefeiert.‖ Im 19. Jahrhundert nicht.",
        "Hr. Müller, Dr. Weber und Dipl.-Ing. Koch wohnen in der Str. 5.",
        "Es sind ca. 5 Mio. Euro bzw. Dollar.‖ Die Kosten steigen.",
        "Vgl. Kapitel 3, Abb. 2 und Nr. 7, ggf. Anhang A.",
        "Äpfel, Birnen usw.‖ Obst ist gesund.",
        "Er sagte: „Ich komme. Ich gehe.“‖ Dann ging er.",
        "„Komm!“ rief er.‖ »Geh.«‖ Sie ging.",
        "Karl d. Gr. lebte um 800 n. Chr. in Aachen.",
        "Überall ist es schön.‖ Öfter auch nicht.",
    ]);
}

#[test]
fn french() {
    check(&[
        "M. Dupont et Mme. Durand arrivent.‖ Ils parlent.",
        "C’est, p. ex. Paris, vers 50 av. J.-C. déjà.",
        "Il dit : « Viens. »‖ Elle vient.",
        "« Viens ! » dit-il.‖ « Pourquoi ? »‖ Elle reste.",
        "Voir n° 5, p. 12, chap. 3 et fig. 2.‖ Été comme hiver.",
        "Est-ce vrai ?‖ Oui !",
    ]);
}

#[test]
fn spanish() {
    check(&[
        "El Sr. García y la Sra. López llegaron.‖ Hablaron.",
        "¿Qué es?‖ ¡Es Madrid!‖ ¿Sí?",
        "Ud. Puede ver la pág. 5 y el núm. 3.",
        "Vive en EE. UU. desde 2010.‖ El otro, en EE.UU.‖ Los dos trabajan.",
        "Hay frutas, p. ej. Manzanas.",
    ]);
}

#[test]
fn chinese_and_japanese() {
    check(&[
        "你好。‖我叫小明。‖你呢？‖很好！",
        "他说：“你好。再见。”‖然后走了。",
        "“来吧！”，他说。",
        "这是3.5版。‖是GPT-4.1吗?‖对!‖是的。",
        "他说……然后走了。",
        "（今天很热。‖明天也是。）‖后天不是。",
        "他（今天很热。他知道。）走了。",
        "東京は首都です。‖大阪は大きい！？‖はい。",
        "「行こう。早く。」と言った。‖彼は去った。",
        "彼は「はい。」と答えた。",
        "テスト｡‖次です。 ‖空白も。",
        "全角の終わり。‖\n\n次の段落",
    ]);
}

#[test]
fn other_scripts() {
    check(&[
        "هل هذا صحيح؟‖ نعم.‖ شكرا!",
        "یہ ایک جملہ ہے۔‖ یہ دوسرا ہے۔",
        "قال د. أحمد ذلك.‖ ثم ذهب.",
        "यह पहला है।‖ यह दूसरा है॥‖ क्या यह तीसरा है?‖ हाँ।",
        "Это первое.‖ А. С. Пушкин написал второе.‖ Это т.е. третье.",
        "Αυτό είναι.‖ Και αυτό.",
        "זה משפט.‖ זה עוד אחד.",
        "이것은 첫째입니다.‖ 둘째입니다.",
        "Բարեւ։‖ Լավ։",
    ]);
}
