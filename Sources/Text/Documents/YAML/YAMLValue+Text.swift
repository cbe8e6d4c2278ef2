internal import Yams

extension YAMLValue {
    /// The value as YAML, without comments.
    ///
    /// - Throws: ``SourceError`` for a value that the library cannot write.
    package func text() throws(SourceError) -> String {
        do {
            return try Yams.serialize(node: node, width: 120)
        } catch {
            throw self.error("cannot be written as YAML: \(error)")
        }
    }

    private var node: Node {
        switch content {
        case .scalar(let text, let isQuoted):
            .scalar(Node.Scalar(text, Tag(.implicit), isQuoted ? .doubleQuoted : .plain))
        case .list(let items): .sequence(Node.Sequence(items.map(\.node)))
        case .map(let entries):
            .mapping(
                Node.Mapping(entries.map { (.scalar(Node.Scalar($0.key, Tag(.implicit))), $0.value.node) }))
        }
    }
}
