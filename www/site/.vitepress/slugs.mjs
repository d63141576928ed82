/** The anchor of a heading as GitHub makes it, so that links in chapters work there as well. */
export const slugger = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
