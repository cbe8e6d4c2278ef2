internal import CYAML
internal import Documents

/// The events of a YAML text, as libyaml's parser finds them one after the other.
///
/// Anchors and aliases are refused here, before a value refers to another: a few nested ones stand for a document that
/// fills the memory.
final class YAMLEvents {
    struct Event {
        enum Kind {
            case streamStart, streamEnd, documentStart, documentEnd
            case scalar(String, isQuoted: Bool)
            case listStart, listEnd, mapStart, mapEnd
        }

        let kind: Kind
        let place: SourcePlace
    }

    private let file: String
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    // The parser keeps a pointer to itself.
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)

    init(_ text: String, file: String) throws(SourceError) {
        self.file = file
        // A byte order mark may begin the text (YAML 1.2.2 §5.2); the parser would indent the first line by it.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let utf8 = Array(text.utf8.starts(with: mark) ? text.utf8.dropFirst(mark.count) : text.utf8[...])
        bytes = .allocate(capacity: max(1, utf8.count))
        _ = bytes.update(fromContentsOf: utf8)
        parser.initialize(to: yaml_parser_t())
        guard yaml_parser_initialize(parser) == 1 else {
            throw SourceError(file: file, line: nil, message: "the memory is full")
        }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, utf8.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        bytes.deallocate()
    }

    /// The next event; throws the parser's error for text that is not YAML, and refuses an anchor and an alias.
    func next() throws(SourceError) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw problem }
        defer { yaml_event_delete(&event) }
        let place = place(event.start_mark)
        let data = event.data
        let (kind, anchor): (Event.Kind, UnsafeMutablePointer<yaml_char_t>?) =
            switch event.type {
            case YAML_STREAM_START_EVENT: (.streamStart, nil)
            case YAML_DOCUMENT_START_EVENT: (.documentStart, nil)
            case YAML_DOCUMENT_END_EVENT: (.documentEnd, nil)
            case YAML_SCALAR_EVENT: (Self.scalar(event), data.scalar.anchor)
            case YAML_SEQUENCE_START_EVENT: (.listStart, data.sequence_start.anchor)
            case YAML_SEQUENCE_END_EVENT: (.listEnd, nil)
            case YAML_MAPPING_START_EVENT: (.mapStart, data.mapping_start.anchor)
            case YAML_MAPPING_END_EVENT: (.mapEnd, nil)
            case YAML_ALIAS_EVENT: (.streamEnd, data.alias.anchor)
            default: (.streamEnd, nil)
            }
        guard anchor == nil else { throw place.error("YAML anchors and aliases are not allowed; repeat the value") }
        return Event(kind: kind, place: place)
    }

    private func place(_ mark: yaml_mark_t) -> SourcePlace {
        SourcePlace(file: file, line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }

    private static func scalar(_ event: yaml_event_t) -> Event.Kind {
        let scalar = event.data.scalar
        let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
        let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE || scalar.style == YAML_ANY_SCALAR_STYLE
        return .scalar(text, isQuoted: !isPlain)
    }

    private var problem: SourceError {
        let state = parser.pointee
        let mistake = YAMLMistake(
            problem: state.problem.map { String(cString: $0) }, context: state.context.map { String(cString: $0) },
            line: Int(state.problem_mark.line), column: Int(state.problem_mark.column),
            contextLine: Int(state.context_mark.line))
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let message = "not YAML: \(mistake.words(in: lines))"
        switch state.error {
        // The reader of characters counts bytes.
        case YAML_READER_ERROR:
            let line = bytes.prefix(Int(state.problem_offset)).count { $0 == UInt8(ascii: "\n") } + 1
            return SourceError(file: file, line: line, message: message)
        case YAML_MEMORY_ERROR: return SourceError(file: file, line: nil, message: message)
        default: return place(state.problem_mark).error(message)
        }
    }
}
