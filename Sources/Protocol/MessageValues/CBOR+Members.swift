public import CBOR

extension CBOR.AccessError {
    /// The error with a path that begins one level further out.
    @usableFromInline package func inside(_ name: String) -> CBOR.AccessError {
        let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
        return CBOR.AccessError(problem: problem, path: name + separator + path)
    }
}

extension CBOR.Value {
    /// The elements of an array.
    ///
    /// It can be inlined, so that each room compiles it for its own structures.
    ///
    /// - Throws: `CBOR.AccessError` with the place of the element in its path.
    @inlinable
    package func elements<Element>(
        _ read: (CBOR.Value) throws(CBOR.AccessError) -> Element
    ) throws(CBOR.AccessError) -> [Element] {
        let items = try asArray("")
        var elements: [Element] = []
        elements.reserveCapacity(items.count)
        for index in items.indices {
            do {
                elements.append(try read(items[index]))
            } catch {
                throw error.inside("[\(index)]")
            }
        }
        return elements
    }
}
