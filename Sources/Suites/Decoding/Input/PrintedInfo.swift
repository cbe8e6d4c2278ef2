internal import CBOR
internal import CTAP

/// An answer to getInfo in the words of a program, which does not print every member.
struct PrintedInfo {
    var map: CBOR.Map
    /// The members that the device may have although the text does not tell.
    var uncertain: Set<InfoMember>
}
