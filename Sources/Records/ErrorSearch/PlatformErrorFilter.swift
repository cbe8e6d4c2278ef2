package import PlatformErrors

/// The platform errors to show.
package struct PlatformErrorFilter: Sendable {
    package let platform: Platform?
    package let vocabulary: PlatformErrorVocabulary?

    package init(platform: Platform? = nil, vocabulary: PlatformErrorVocabulary? = nil) {
        (self.platform, self.vocabulary) = (platform, vocabulary)
    }

    package func includes(_ cell: PlatformErrorCell) -> Bool {
        if let vocabulary { return vocabulary.includes(cell) }
        return platform.map(cell.platforms.contains) ?? true
    }

    /// Whether all cells are of one platform.
    package var isForOnePlatform: Bool { platform != nil || vocabulary != nil }

    /// Whether a row has a cell to show; without a filter, every row does.
    package func includes(_ row: PlatformErrorRow) -> Bool { !isForOnePlatform || row.cells.contains(where: includes) }

    /// ` on iOS` for a filter of one platform.
    package var words: String { (platform ?? vocabulary?.platform).map { " on \($0.displayName)" } ?? "" }
}
