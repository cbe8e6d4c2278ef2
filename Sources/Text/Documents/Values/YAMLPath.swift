/// The way from a document's root to a value.
package indirect enum YAMLPath: Sendable {
    case root
    case key(String, of: YAMLPath)
    case item(Int, of: YAMLPath)

    /// The keys and indices, such as `sensor.fingers[2]`.
    package var text: String {
        switch self {
        case .root: ""
        case .key(let key, of: .root): key
        case .key(let key, let parent): "\(parent.text).\(key)"
        case .item(let index, let parent): "\(parent.text)[\(index)]"
        }
    }

    /// The keys and indices one by one, from the root.
    var steps: [String] {
        switch self {
        case .root: []
        case .key(let key, let parent): parent.steps + [key]
        case .item(let index, let parent): parent.steps + [String(index)]
        }
    }
}
