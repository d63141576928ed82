/** The name of a message in errors. A function, because creating a text for each valid message takes time. */
export type MessagePlace = () => string;
