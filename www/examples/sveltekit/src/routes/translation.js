export const SOURCE = "Die Katze sitzt auf der Matte.";
export const REFERENCES = ["The cat sits on the mat.", "The cat is sitting on the mat."];
