/** Detects refusals by the phrases with which models begin them. */

/** How many sentences of an answer are examined, and how many characters of each. */
export const MAX_SENTENCES = 4;
export const MAX_SENTENCE_LENGTH = 400;

/** The end of a sentence. */
export const SENTENCE_END = /[.!?。！？\n]/;

const AS_AI = String.raw`(?:as an? (?:\w+ )?(?:ai|artificial intelligence|language model|large language model|virtual assistant|assistant)\b[^,]{0,40},? ?)`;
const CANNOT = `(?:can ?not|can't|could not|couldn't|won't|will not|am (?:not able|unable) to|'m (?:not able|unable) to|(?:am|'m) not (?:comfortable|allowed|permitted|authori[sz]ed|going|willing|in a position)(?: to)?|won't be able to|will not be able to|will be unable to|do not feel comfortable|don't feel comfortable|must(?: respectfully)? (?:decline|refuse)(?: to)?|have to (?:decline|refuse)(?: to)?|(?:respectfully )?(?:decline|refuse) to|would (?:rather|prefer) not(?: to)?|'d (?:rather|prefer) not(?: to)?)`;
const FILLER = `(?:(?:,? ?(?:really|directly|personally|ethically|legally|in good conscience|actually|simply|unfortunately|therefore|also),?) ?)?`;
const HELP = String.raw`(?:help|assist|helping|assisting)(?! but\b| \w+ing\b| yourself| myself)(?: you| anyone)?(?: (?:with|in|on|to|out|create|write|make|build|find|you)\b| (?:that|this|here)\b|$|,|;| —| -)`;
const DO = String.raw`(?:(?:provid|fulfil|fulfill|comply|complying|support|generat|creat|writ|produc|shar|discuss|engag|participat|facilitat|advis|complet|encourag|promot|continu|answer|respond|process|offer|tell|show|recommend|giv|explain|carry out|roleplay|role-play|pretend|accommodat|honou?r|contribut|proceed|access|disclos|reveal|endors|speculat)(?:e|ing|y)?)(?! up\b| more\b| better\b| enough\b| you (?:how|enough)\b| away\b| birth\b| me\b| my\b)`;

const ENGLISH = [
  // I'm sorry, but I can't help with that
  String.raw`(?<![\w"'“])i ?${CANNOT} ?${FILLER}(?:${HELP}|${DO}\b(?=[^.]{0,120}\b(?:that|this|such|these|those|request|instructions?|information|advice|content|guidance|details?|harm|illegal|unethical|any|assistance|diagnos\w*|prescri\w*|legal|medical|private|personal|confidential|internal|prompt|malware|weapons?|explicit|copyrighted|lyrics|someone|real people)\b)|do (?:that|this|so)\b)`,
  `${AS_AI}i ?(?:${CANNOT}|do not have|don't have|lack) ?(?:the ability|${FILLER}(?:${HELP}|${DO}))`,
  String.raw`(?:sorry|apologi[sz]e|afraid|unfortunately|regret)\b[^.]{0,40}\b(?:cannot|can't|unable to|not able to|won't|will not) ?(?:be )?${FILLER}(?:${HELP}|comply|fulfil|fulfill|do that|do this|continue|discuss|engage|provide (?:that|this|such|instructions|information|assistance|guidance|medical|legal))`,
  `^(?:sorry,? )?(?:but )?(?:unable to|not able to|can't|cannot|can not) (?:${HELP}|comply|fulfil|fulfill|do that|process (?:this|your) request|provide (?:that|this|such))`,
  String.raw`\b(?:not|isn't) something i(?:'m| am| can|'d| would)?\b(?: not)? ?(?:able|willing|comfortable|can|help|assist|do|discuss|provide|support)`,
  String.raw`\bsomething (?:that )?i ?(?:cannot|can't|won't|am unable to|'m unable to|am not able to|'m not able to) (?:help|assist|do|provide|discuss|support|share|create|write)`,
  String.raw`\b(?:goes|go|is|are|be) against (?:my|our|openai's|anthropic's|google's) (?:\w+ )?(?:guidelines|polic\w+|principles|programming|rules|values)`,
  String.raw`\b(?:this|that|your|the) (?:request|prompt|content|question) (?:violates|goes against|is against|is not allowed|falls outside|cannot be (?:fulfilled|completed|processed)|can't be (?:fulfilled|completed|processed))`,
  String.raw`(?<![\w"'“])i ?(?:must|have to|need to|am going to have to|'m going to have to|will have to|'ll have to) (?:\w+ )?(?:decline|refuse|pass on)\b`,
  String.raw`(?<![\w"'“])i ?(?:'m|am) (?:not programmed|not designed|programmed not|designed not) to\b`,
  String.raw`(?<![\w"'“])i(?: (?:cannot|can't) and)? (?:will not|won't) (?:be )?(?:help|assist|provid|creat|writ|generat|engag|participat|produc|shar|continu|do (?:that|this))`,
];

const GERMAN = [
  String.raw`\bich (?:kann|darf|werde|möchte)\b[^.]{0,90}\b(?:nicht|keine?[nmrs]?)\b(?! genug| oft genug)[^.]{0,90}\b(?:helfen|weiterhelfen|behilflich|unterstützen|beantworten|erfüllen|nachkommen|bereitstellen|erstellen|liefern|anbieten|geben|teilen|schreiben|verfassen|generieren|durchführen|mitmachen|preisgeben|nennen|erklären|entsprechen|tun)\b`,
  String.raw`\b(?:dabei|damit|hierbei|das|dies|dazu|leider|diese[rsn]? (?:anfrage|bitte|wunsch|frage))\b[^.]{0,40}\b(?:kann|darf|werde|möchte) ich\b[^.]{0,60}\b(?:nicht|keine?[nmrs]?)\b(?! genug)[^.]{0,80}\b(?:helfen|weiterhelfen|behilflich|unterstützen|beantworten|erfüllen|nachkommen|bereitstellen|erstellen|liefern|anbieten|geben|teilen|schreiben|verfassen|generieren|tun|machen|sagen)\b`,
  String.raw`\bals (?:ki|künstliche intelligenz|sprachmodell|ki-\w+|ki-basierte\w* \w+|virtueller \w+|assistent)\b[^.]{0,60}\b(?:kann|darf|bin|habe|werde) ich\b[^.]{0,80}\b(?:nicht|keine?[nmrs]?)\b`,
  String.raw`\bich (?:bin|sehe mich) (?:leider )?(?:nicht in der lage|außerstande|nicht befugt|nicht berechtigt|nicht dafür)\b`,
  String.raw`\bich (?:muss|möchte)\b[^.]{0,60}\bablehnen\b`,
  String.raw`\bich lehne (?:es )?(?:diese|das|dies|ab)\b[^.]{0,60}`,
  String.raw`\b(?:verstößt|verstoßen|widerspricht) [^.]{0,30}\b(?:meine|unsere)n?r? (?:\w+ )?(?:richtlinien|grundsätze|regeln)`,
];

const FRENCH = [
  String.raw`\bje ne (?:peux|puis|pourrai|pourrais|suis)(?: (?:malheureusement|donc|hélas|vraiment))?(?: pas)?(?: (?:malheureusement|donc|hélas|vraiment))? (?:en mesure|autorisée? à|capable d|habilitée? à|(?:vous |t'|te |y |le |la |l'|les )?(?:en )?(?:aider|assister|fournir|répondre|donner|générer|créer|rédiger|écrire|satisfaire|traiter|participer|accéder à|accéder|faire|accompagner|proposer|produire|partager|divulguer|continuer|conseiller|expliquer))(?! mieux| assez| plus vite)`,
  String.raw`\bil m'est (?:malheureusement )?(?:impossible|interdit) d`,
  String.raw`\ben tant qu(?:e |')(?:ia|intelligence artificielle|modèle|assistante?)\b[^.]{0,60}\bje ne (?:peux|puis|suis|dispose|donne)\b`,
  String.raw`\bje (?:dois|me vois dans l'obligation de|préfère) (?:\w+ )?(?:refuser|décliner|ne pas)\b`,
  String.raw`\bje (?:refuse|décline) (?:de|cette|votre|ta)\b`,
  String.raw`\b(?:contraire|contrevient|enfreint|viole)s? (?:à )?(?:mes|nos) (?:\w+ )?(?:règles|principes|directives|consignes)`,
];

const SPANISH = [
  String.raw`\bno (?:puedo|podré|podría)(?: (?:lamentablemente|desafortunadamente))? (?:ayudar(?:te|le|les|los)?|asistir(?:te|le)?|proporcionar(?:te|le)?|cumplir|generar|crear|escribir|redactar|responder|contestar|ofrecer(?:te|le)?|brindar(?:te|le)?|facilitar(?:te|le)?|dar(?:te|le)?\b(?! las gracias| (?:\w+ )?gracias)|hacer (?:eso|esto)|hacerlo|compartir|participar|continuar con|acceder a|atender|realizar|revelar|explicar(?:te|le)? cómo)(?! más| mejor| lo (?:feliz|content))`,
  String.raw`\bno (?:me es posible|estoy en condiciones de|estoy en capacidad de|soy capaz de|estoy autorizad[oa]|tengo permitido|me está permitido)`,
  String.raw`\bcomo (?:un |una )?(?:modelo|ia|inteligencia artificial|asistente)\b[^.]{0,60}\bno (?:puedo|tengo|estoy|soy)`,
  String.raw`\b(?:debo|tengo que|prefiero) (?:rechazar|declinar|negarme|no )`,
  String.raw`\bme niego a\b`,
  String.raw`\b(?:va en contra de|viola|infringe|incumple) (?:mis|nuestras|las) (?:\w+ )?(?:normas|políticas|directrices|principios|pautas)`,
];

const JAPANESE = [
  "(?:お手伝い|お答え|お応え|お教え|ご協力|ご対応|ご提供|ご案内|ご要望に(?:は)?お応え|お受け)(?:を)?(?:する|いたす|差し上げる)?(?:こと(?:は|が))?(?:でき(?:ません|かねます|ない)|いたしかね|しかね)",
  "(?:申し訳(?:ありません|ございません|ない)|すみません|すいません|ごめんなさい|恐れ入ります|残念ながら|あいにく)[^。]{0,80}(?:提供|回答|対応|支援|生成|作成|説明|助言|協力|実行|執筆|開示|答える|手伝う|手助け|応じる|教える|書く|従う)(?:を)?(?:する|し|いたし|差し上げる)?(?:こと(?:は|が))?(?:でき(?:ません|かねます|ない)|いたしかね|しかね|かねます)",
  "(?:そのような|このような|そういった|その|この)(?:ご)?(?:要望|依頼|要求|リクエスト|質問|内容|情報)(?:に|を|は|には|について)[^。]{0,20}(?:でき(?:ません|かねます)|いたしかね|しかね|応じられません|お断り|答えられません)",
  "(?:ai|人工知能|言語モデル|アシスタント)(?:である|として|の|なので|ですので)[^。]{0,60}(?:でき(?:ません|ない|かねます)|持って(?:いません|おりません))",
  "(?:お断り(?:し|いたし|させて)|応じられません|お応えできません|お力になれません|辞退(?:し|いたし|させて))",
];

const CHINESE = [
  "我(?:们)?(?:恐怕|目前|暂时|确实|并|也|实在|很遗憾)?(?:无法|無法|不能|没法|没有办法|沒辦法|不会|不會|不可以|不便|不方便|不得不拒绝)(?:为您|为你|為您|為你|给您|给你|向您|向你|对此|在这方面)?(?:直接)?(?:帮助|幫助|帮您|帮你|帮忙|协助|協助|提供|回答|满足|滿足|完成|生成|参与|參與|创建|撰写|编写|写|支持|执行|透露|分享|讨论|討論|给出|解答|处理|继续|遵从|教你|教您|说明如何|这样做|这么做)(?!得?更|更多)",
  "(?:作为|作為|身为)(?:一个|一個|一名|一款)?(?:ai|人工智能|人工智慧|语言模型|語言模型|大型语言模型|虚拟助手|助手)[^。]{0,40}(?:无法|無法|不能|不会|不會|没有|沒有|不具备)",
  "(?:抱歉|对不起|對不起|很遗憾|不好意思)[^。]{0,10}(?:无法|無法|不能)(?:帮助|帮您|帮你|协助|提供|回答|满足|完成|生成|参与|处理|给出|讨论)(?:您|你|这|此|该|该类|相关|任何|此类|这类|这个|您的|你的|这样的)",
  "(?:我)?(?:必须|只能|不得不|需要)(?:拒绝|婉拒|谢绝)",
  "(?:违反|违背|不符合)(?:了)?(?:我的|我们的)?(?:使用)?(?:政策|准则|规定|原则|安全准则)",
];

/** Letters and digits of the languages above that have spaces; those of all languages would take long to compile. */
const WORD = "[a-z0-9\\xdf-\\xff\\u0153]";
const BORDER = `(?:(?<!${WORD})(?=${WORD})|(?<=${WORD})(?!${WORD}))`;

const EXPRESSIONS = [ENGLISH, GERMAN, FRENCH, SPANISH, JAPANESE, CHINESE]
  .flat()
  .map(
    (source) =>
      new RegExp(source.replaceAll("\\b", BORDER).replaceAll("\\w", WORD).replaceAll(`[${WORD}`, "[\\w")),
  );

/** The part of a sentence that refuses, if any. */
export function refusalIn(sentence: string): string | undefined {
  const plain = sentence
    .slice(0, MAX_SENTENCE_LENGTH)
    .replace(/[\u2018\u2019\u02bc`´]/g, "'")
    .replace(/\s+/g, " ")
    // Quoted speech is not the answer's own refusal.
    .replace(/["“„«「][^"”“»」]*(?:["”“»」]|$)/g, "…")
    .trim()
    .toLowerCase();
  for (const expression of EXPRESSIONS) {
    const found = expression.exec(plain);
    if (found) return found[0].trim();
  }
  return undefined;
}
