/// Whether two texts are the same bytes.
///
/// `==` on `String` also equates different spellings of one character, which would let a look-alike origin through.
func isSameText(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8)
}
