import Foundation
import TestSupport

extension Touchstone {
    /// The program of this build.
    init(runtimeDirectory: URL) {
        self.init(beside: .module, runtimeDirectory: runtimeDirectory)
    }
}
