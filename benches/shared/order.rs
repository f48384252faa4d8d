//! The order in which alternatives are measured.

/// Returns the order of the alternatives in a round. Each round begins with the next one, and every second time around
/// they run backwards, so that none always follows the same other.
pub(crate) fn order_of(round: usize, count: usize) -> impl Iterator<Item = usize> {
    let is_backward = round / count % 2 == 1;
    (0..count).map(move |i| (round + if is_backward { count - i } else { i }) % count)
}
