/// The compiler's settings for this program.
enum BuildKind: String {
    case debug
    case release

    static let current: BuildKind = {
        #if DEBUG
        .debug
        #else
        .release
        #endif
    }()
}
