internal import CYAML
package import Documents

/// Writes a value as YAML text through libyaml's emitter.
final class YAMLWriter {
    private static let width: Int32 = 120

    // The emitter keeps a pointer to itself.
    private let emitter = UnsafeMutablePointer<yaml_emitter_t>.allocate(capacity: 1)
    private var text: [UInt8] = []

    private init() { emitter.initialize(to: yaml_emitter_t()) }

    deinit {
        yaml_emitter_delete(emitter)
        emitter.deallocate()
    }

    /// The text of a document with one value, without comments; throws for a value that YAML cannot express.
    static func text(_ value: YAMLValue) throws(SourceError) -> String {
        let writer = YAMLWriter()
        guard writer.write(value) else {
            let problem = writer.emitter.pointee.problem.map { String(cString: $0) } ?? "the memory is full"
            throw value.error("cannot be written as YAML: \(problem)")
        }
        return String(decoding: writer.text, as: UTF8.self)
    }

    private func write(_ value: YAMLValue) -> Bool {
        guard yaml_emitter_initialize(emitter) == 1 else { return false }
        yaml_emitter_set_output(
            emitter,
            { writer, bytes, count in
                guard let writer, let bytes else { return 0 }
                Unmanaged<YAMLWriter>.fromOpaque(writer).takeUnretainedValue().text
                    .append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
                return 1
            }, Unmanaged.passUnretained(self).toOpaque())
        yaml_emitter_set_width(emitter, Self.width)
        return emit { yaml_stream_start_event_initialize(&$0, YAML_UTF8_ENCODING) }
            && emit { yaml_document_start_event_initialize(&$0, nil, nil, nil, 1) }
            && emit(value)
            && emit { yaml_document_end_event_initialize(&$0, 1) }
            && emit { yaml_stream_end_event_initialize(&$0) }
    }

    private func emit(_ value: YAMLValue) -> Bool {
        switch value.content {
        case .scalar(let text, let isQuoted):
            return emit(text, isQuoted ? YAML_DOUBLE_QUOTED_SCALAR_STYLE : YAML_PLAIN_SCALAR_STYLE)
        case .list(let items):
            return emit { yaml_sequence_start_event_initialize(&$0, nil, nil, 1, YAML_ANY_SEQUENCE_STYLE) }
                && items.allSatisfy(emit)
                && emit { yaml_sequence_end_event_initialize(&$0) }
        case .map(let entries):
            return emit { yaml_mapping_start_event_initialize(&$0, nil, nil, 1, YAML_ANY_MAPPING_STYLE) }
                && entries.allSatisfy { emit($0.key, YAML_ANY_SCALAR_STYLE) && emit($0.value) }
                && emit { yaml_mapping_end_event_initialize(&$0) }
        }
    }

    private func emit(_ text: String, _ style: yaml_scalar_style_t) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBufferPointer { buffer in
            // An empty text has no address; the emitter reads none of it.
            var nothing: UInt8 = 0
            return withUnsafePointer(to: &nothing) { empty in
                emit {
                    yaml_scalar_event_initialize(
                        &$0, nil, nil, buffer.baseAddress ?? empty, Int32(buffer.count), 1, 1, style)
                }
            }
        }
    }

    private func emit(_ initialize: (inout yaml_event_t) -> Int32) -> Bool {
        var event = yaml_event_t()
        // The emitter deletes the event.
        return initialize(&event) == 1 && yaml_emitter_emit(emitter, &event) == 1
    }
}

extension YAMLValue {
    /// The value as YAML, without comments.
    package func text() throws(SourceError) -> String { try YAMLWriter.text(self) }
}
