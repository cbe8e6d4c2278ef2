public import CBOR

extension CBOR.AccessError {
    /// The error with a path that begins one level further out.
    @usableFromInline package func inside(_ name: String) -> CBOR.AccessError {
        let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
        return CBOR.AccessError(problem: problem, path: name + separator + path)
    }
}

extension CBOR.Value {
    /// The elements of an array, or an error with the element's place; inlinable, so that each room specialises it.
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
