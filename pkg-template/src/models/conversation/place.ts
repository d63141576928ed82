/** What errors call a message. A function, since most messages are right, and a text for each takes its time. */
export type MessagePlace = () => string;
