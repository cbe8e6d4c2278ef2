import Causes
import PlatformErrors
import Testing

@testable import ErrorSearch

@Suite("Sentences of the table")
struct KnownSentenceTests {
    @Test func everySentenceFindsACause() {
        for sentence in PlatformErrorSearch.shared.sentences.values.flatMap(\.self) {
            let text = sentence.text.replacing("…", with: "x")
            #expect(!PlatformErrorSearch.shared.find(text).findings.isEmpty, "\(text)")
        }
    }

    @Test(arguments: [
        ("com.google.android.gms.common.api.ApiException: 10: ", "appMisconfigured"),
        ("ApiException: 16: Cannot find a matching credential", "noCredentials"), ("ApiException: 15", "timedOut"),
        ("10: [28444] Developer console is not set up correctly.", "appMisconfigured"),
    ])
    func anExceptionOfPlayServicesIsItsOwn(text: String, cause: String) {
        #expect(PlatformErrorSearch.shared.find(text).findings.first?.outcome.cause.rawValue == cause)
    }
}
