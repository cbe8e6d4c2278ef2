internal import Documents
internal import Wording

extension Expectation {
    /// - Parameter obstacle: the reason a subject cannot be observed here; nil when it can.
    init(reading value: YAMLValue?, obstacle: (Subject) -> String?) throws(SourceError) {
        guard let value else {
            checks = []
            return
        }
        guard value.isMapping else {
            // `expect: refused` is the outcome alone.
            checks = [Check(line: value.line, subject: .outcome, value: try Subject.outcome.read(value))]
            return
        }
        checks = try value.eachEntry { key, value -> [Check] in
            guard let subject = Subject.all.first(where: { $0.name == key }) else {
                let names = Subject.all.map(\.name)
                let nearest = NearestNames.question(key, among: names)
                throw value.error(
                    "\"\(key)\" cannot be expected"
                        + (nearest.isEmpty ? "; choose one of \(names.joined(separator: ", "))" : nearest))
            }
            if let obstacle = obstacle(subject) { throw value.error(obstacle) }
            try value.checkContent()
            if case .members = subject.values {
                return try value.eachEntry { pointer, item in try Check(subject, member: pointer, item) }
            }
            if value.isMapping { return try Self.listChecks(subject, value) }
            return try value.eachItemOrSelf { item in
                Check(line: item.line, subject: subject, value: try subject.read(item))
            }
        }.flatMap(\.self)
    }

    /// The checks of a list as a whole: `exactly` these values, or `without` those.
    private static func listChecks(_ subject: Subject, _ value: YAMLValue) throws(SourceError) -> [Check] {
        guard subject.isList else {
            throw value.error("\(subject.name) does not take exactly and without; write the value alone")
        }
        var checks: [Check] = []
        for (key, value) in try value.entries() {
            guard let form = ListForm(rawValue: key) else {
                let forms = ListForm.allCases.map(\.rawValue)
                throw value.error("\"\(key)\" is not a form of a list; choose \(forms.joined(separator: " or "))")
            }
            // `exactly: []` is a list without values.
            if form == .without { try value.checkContent() }
            var values: [String] = []
            for item in value.itemsOrSelf() where !(item.isEmpty && form == .exactly) {
                values.append(try subject.read(item))
            }
            switch form {
            case .exactly:
                let text = values.isEmpty ? Subject.nothing : values.joined(separator: "; ")
                checks.append(Check(line: value.line, subject: subject, value: text, whole: values))
            case .without:
                checks += values.map { Check(line: value.line, subject: subject, value: $0, isExcluded: true) }
            }
        }
        return checks
    }

    /// The forms in which a list is expected as a whole.
    enum ListForm: String, CaseIterable {
        /// These values and no others, in any order.
        case exactly
        /// None of these values.
        case without
    }

    /// The form of `expect` with the subjects that can be observed.
    static func schema(of subjects: [Subject]) -> Schema {
        .anyOf([
            Subject.outcome.schema,
            .object(Schema.Members(members: subjects.map { .optional($0.name, $0.schema) }, atLeast: 1)),
        ])
    }
}

extension Expectation.Check {
    fileprivate init(_ subject: Expectation.Subject, member: String, _ item: YAMLValue) throws(SourceError) {
        guard member.hasPrefix("/") else {
            throw item.error("\"\(member)\" is not a JSON Pointer; write one such as /passkeys/0/deviceName")
        }
        let value = item.isEmpty ? Expectation.Subject.nothing : try subject.read(item)
        self.init(line: item.line, subject: subject, value: value, member: member)
    }
}
