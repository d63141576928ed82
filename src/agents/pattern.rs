//! Patterns with wildcards: of tool names, such as `db.*`, and of paths.

/// Whether a list fits a pattern, in which a wildcard fits any number of elements. Only the last wildcard is tried again,
/// so that the time is at most the product of both lengths.
pub(super) fn fits_list<P, E>(
    pattern: &[P],
    list: &[E],
    is_wildcard: impl Fn(&P) -> bool,
    fits: impl Fn(&P, &E) -> bool,
) -> bool {
    let (mut at, mut place) = (0, 0);
    // The positions to retry from: in the pattern after the last wildcard, and in the list.
    let mut retry = None;
    while let Some(element) = list.get(place) {
        match pattern.get(at) {
            Some(part) if is_wildcard(part) => {
                at += 1;
                retry = Some((at, place + 1));
            }
            Some(part) if fits(part, element) => {
                at += 1;
                place += 1;
            }
            _ => {
                let Some((after_wildcard, next)) = retry else { return false };
                (at, place) = (after_wildcard, next);
                retry = Some((after_wildcard, next + 1));
            }
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(is_wildcard)
}

/// Whether a name fits a pattern, in which `*` matches any text.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    fits_list(pattern.as_bytes(), name.as_bytes(), |byte| *byte == b'*', |one, other| one == other)
}

/// Whether a name fits one of the patterns. A call without a name fits none.
pub(super) fn fits_any(patterns: &[String], name: Option<&str>) -> bool {
    name.is_some_and(|name| patterns.iter().any(|pattern| fits(pattern, name)))
}
