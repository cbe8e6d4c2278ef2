/// Whether two texts have the same bytes.
///
/// `==` on `String` also equates canonically equivalent characters, which would accept a look-alike origin.
func isSameText(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
