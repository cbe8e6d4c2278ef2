internal import Documents
internal import YAMLFiles

extension Form<[YAMLValue]> {
    /// Steps, or files with steps, one or a list.
    static var before: Form {
        Form(
            .anyOf([entry, .array(entry)]),
            words: "a file with steps, or a list of steps and files"
        ) { $0.itemsOrSelf() }
    }

    private static let entry = Schema.anyOf([.pattern(#".+\.ya?ml"#), ScenarioStep.schema])

    static var steps: Form {
        Form(.array(ScenarioStep.schema, count: 1...Int.max), words: "list of steps") { value in
            let items = try value.items()
            guard !items.isEmpty else { throw value.error("steps is empty; add at least one step") }
            return items
        }
    }
}

extension YAMLValue {
    /// The file of an entry under `before`; nil for an entry that is a step.
    var sharedFile: String? {
        guard case .scalar(let text, _) = content, ResourceName.isYAML(text),
            case .path(let path) = ResourceName(text).resolved(against: file)
        else { return nil }
        return path
    }

    /// The steps of an entry under `before`: those of a file, or the entry as a step.
    func stepsBefore(with values: [String: YAMLValue]) throws(SourceError) -> [YAMLValue] {
        guard let path = sharedFile else { return [self] }
        guard ResourceFiles.exists(path) else {
            throw error("the file \(path) was not found; name it relative to this file")
        }
        let root = try YAMLValue.parse(try ResourceFiles.text(of: path), file: path)
        var shared = SharedSteps()
        try SharedSteps.section.read(try root.replacingPlaceholders(with: values), into: &shared)
        return shared.steps
    }
}

/// A file with steps that several scenarios begin with.
struct SharedSteps: Sendable {
    fileprivate var steps: [YAMLValue] = []
    private var about = ""

    static let section = DocumentSection<SharedSteps> {
        DocumentKey("about", \.about, .text, "The purpose of the steps.")
        DocumentKey("steps", \.steps, .steps, "The steps, in order.", .required)
    }
}
