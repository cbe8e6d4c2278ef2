public import CBOR

/// The type of a map's keys.
///
/// Its functions are inlinable because a message looks every member up.
@usableFromInline package protocol MapKey {
    func value(in map: CBOR.Map) -> CBOR.Value?
    var keyItem: CBOR.Value { get }
}

extension Int: MapKey {
    @inlinable package func value(in map: CBOR.Map) -> CBOR.Value? { map[self] }
    @inlinable package var keyItem: CBOR.Value { .integer(self) }
}

extension String: MapKey {
    @inlinable package func value(in map: CBOR.Map) -> CBOR.Value? { map[self] }
    @inlinable package var keyItem: CBOR.Value { .text(self) }
}
