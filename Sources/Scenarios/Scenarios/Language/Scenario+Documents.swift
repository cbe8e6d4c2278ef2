internal import Documents

extension Scenario {
    /// Checks that a document of passkeys is exported before it is imported, and that a later step imports it.
    func checkDocuments() throws(SourceError) {
        var exported: Set<String> = []
        var unused: [String: SourcePlace] = [:]
        for step in steps {
            guard case .device(let action) = step.action else { continue }
            if case .exportPasskeys(_, let name) = action {
                // A refusal is all that such a step shows.
                guard step.expectation.outcome == .ok else { continue }
                exported.insert(name)
                if let earlier = unused.updateValue(step.place, forKey: name) {
                    throw earlier.error("a later step exports \"\(name)\" again before one imports it; remove this one")
                }
            }
            guard case .importPasskeys(_, let name) = action else { continue }
            guard exported.contains(name) else {
                throw step.place.error("no earlier step exports \"\(name)\"; export it with export-passkeys")
            }
            unused[name] = nil
        }
        if let (name, place) = unused.min(by: { $0.key < $1.key }) {
            throw place.error("no later step imports \"\(name)\"; remove the export, or import it")
        }
    }
}
