import Biometrics
import CTAP
import Causes
import Documents
import ErrorSearch
import Foundation
import PlatformErrors
import TestSupport
import Testing
import YAMLFiles

@Suite("The table of platform errors")
struct PlatformErrorTableTests {
    @Test func itParses() throws {
        let table = try PlatformErrorTable.load()
        #expect(table.outcomes.count > 80)
        #expect(table.hints.count > 20)
        #expect(PlatformErrorTable.shared.outcomes == table.outcomes)
    }

    /// What only a search needs costs devices and their reports nothing.
    @Test func theTableForLookingUpHasMoreThanTheDevicesTable() throws {
        let lookup = try PlatformErrorTable.loadLookup()
        #expect(lookup.outcomes.count > PlatformErrorTable.shared.outcomes.count + 100)
        #expect(lookup.interfaces.count > PlatformErrorTable.shared.interfaces.count + 15)
        #expect(PlatformErrorTable.lookup.outcomes == lookup.outcomes)
        let statuses = try #require(lookup.interface("ctap")).codes.compactMap(\.number)
        #expect(Set(statuses).isSuperset(of: CTAPStatus.all.map { Int($0.rawValue) }))
        for cause in Cause.all { #expect(lookup.outcome(cause) != nil, "\(cause)") }
    }

    /// The labels of causes everywhere in the bench.
    static let causes = [
        "userCancelled", "systemCancelled", "appCancelled", "fallbackChosen", "attemptsExhausted", "wrongCredential",
        "lockedOut.timed", "lockedOut.permanent", "timedOut", "notEnrolled", "noDeviceCredential", "sensorAbsent",
        "sensorBusy", "sensorFailed", "disabledByPolicy", "promptInProgress", "noCredentials", "credentialExcluded",
        "keyInvalidated", "itemMissing", "permissionDenied", "securityUpdateRequired", "sensorPrivacy",
        "sensorDisconnected", "sensorNotPaired", "unknownError", "unableToProcess", "noSpace", "vendorError",
        "reEnrolRequired", "powerPressed", "confirmationDeclined", "strongAuthDue", "strengthInsufficient",
        "credentialLockedOut.timed", "credentialLockedOut.permanent", "deviceLocked", "beforeFirstUnlock",
        "userNotAuthenticated", "appNotRunning", "appInBackground", "offline", "deviceReplaced", "appLeftScreen",
        "credentialNeedsRestart",
    ]

    @Test(arguments: causes)
    func everyCauseHasARow(cause: String) throws {
        let row = try #require(PlatformErrorTable.shared.outcome(Cause(cause)))
        #expect(row.cause == Cause(cause))
        #expect(!row.meaning.isEmpty)
    }

    @Test func everyLabelOfTheGateHasARow() {
        let failures: [GateFailure] = [
            .attemptsExhausted, .lockedOut(until: .zero), .lockedOutPermanently, .wrongCredential, .noDeviceCredential,
            .userCancelled, .systemCancelled, .appCancelled, .fallbackChosen, .timedOut, .sensorAbsent, .sensorBusy,
            .sensorFailed, .disabledByPolicy, .notEnrolled, .appLeftScreen, .credentialNeedsRestart,
        ]
        let verified = [VerificationMethod.biometric(.face, templateID: [1]), .deviceCredential].map {
            GateOutcome.verified(method: $0).cause
        }
        for cause in failures.map(\.cause) + [GateFailure.promptInProgress.cause] + verified {
            #expect(PlatformErrorTable.shared.outcome(cause) != nil, "\(cause)")
        }
    }

    /// A search could not find an unused code.
    @Test(arguments: [true, false])
    func everyCodeOfEveryInterfaceIsUsed(forLookup: Bool) {
        let table = forLookup ? PlatformErrorTable.lookup : .shared
        let shown = Set((table.outcomes + table.hints).flatMap(\.cells).map { "\($0.interface) \($0.code.name)" })
        for interface in table.interfaces {
            for code in interface.codes {
                #expect(shown.contains("\(interface.id) \(code.name)"), "\(interface.name) \(code.name)")
            }
        }
    }

    @Test func everyCellHasASourceOrAMark() {
        for row in PlatformErrorTable.shared.outcomes + PlatformErrorTable.shared.hints {
            for cell in row.cells {
                #expect(!cell.sources.isEmpty)
                #expect(!cell.platforms.isEmpty, "\(row.cause) \(cell.interface)")
                #expect(cell.sources.allSatisfy { PlatformErrorTable.shared.sources[$0] != nil })
            }
        }
    }

    @Test(arguments: [true, false])
    func everySourceIsUsed(forLookup: Bool) {
        let table = forLookup ? PlatformErrorTable.lookup : .shared
        let used = Set(
            table.interfaces.flatMap(\.sources) + (table.outcomes + table.hints).flatMap(\.cells).flatMap(\.sources)
                + table.settings.flatMap(\.variants).flatMap(\.sources))
        #expect(Set(table.sources.keys).subtracting(used) == [])
    }

    @Test func everyVariantOfASettingIsUsed() {
        for setting in PlatformErrorTable.shared.settings {
            let cells = PlatformErrorTable.shared.outcomes.flatMap(\.cells)
            for variant in setting.variants {
                #expect(cells.contains { $0.choices[setting.name] == variant.name }, "\(setting.name)")
            }
            #expect(setting.variants.count > 1)
        }
    }

    @Test func securityKeyHasNoPhoneErrors() {
        let layers = Set(
            Self.causes.flatMap {
                PlatformErrorVocabulary(platform: .securityKey).errors(of: Cause($0)).map(\.interface)
            })
        #expect(layers == ["dom-exception", "ctap"])
    }

    @Test func unknownCauseHasNoErrors() {
        #expect(PlatformErrorVocabulary(platform: .ios).errors(of: "something new") == [])
    }

    // MARK: Mistakes in the file

    private static let small = """
        sources: { s: A source }
        layers:
          one: { name: One, about: first, kind: platform, platforms: [apple], operations: [create, get], sources: [s], codes: { A: 1, B: 2~ } }
        settings:
          pick: { about: which, variants: { x: { about: x, sources: [s] }, y: { about: y, sources: [s] } } }
        outcomes:
          first: { means: it happened, of: gate, faces: { one: A } }
        """

    @Test(
        arguments: [
            ("one: A }", "one: C }", 7, "One has no code C"), ("one: A }", "two: A }", 7, "there is no layer two"),
            ("one: A }", "one: { linux: A } }", 7, "linux is not a platform, operation or variant"),
            ("one: A }", "one: { pick=z: A } }", 7, "pick=z is not a platform"),
            ("one: A }", "one: { code: A, source: [s] } }", 7, "unknown key source"),
            ("one: A }", "one: { code: A, sources: [t] } }", 7, "there is no source t"),
            ("faces: { one", "same-as: later, faces: { one", 7, "no row above this one has this name"),
            (
                "faces: { one", "also: [first], faces: { one", 7,
                "first is already the name of another row; choose another name"
            ),
            ("means: it happened, ", "", 7, "means is missing"), ("A: 1", "A: one", 3, "expected a number"),
            ("platforms: [apple]", "platforms: [beos]", 3, "unknown platform; choose one of apple"),
            ("kind: platform", "kind: os", 3, "expected one of"),
            ("about: which, ", "", 5, "about is missing"),
            ("sources: { s: A source }", "sources: [s]", 1, "expected a mapping"),
        ])
    func mistakeIsReportedWithItsLine(old: String, new: String, line: Int, says: String) throws {
        try #require(Self.small.contains(old))
        let error = #expect(throws: SourceError.self) {
            try PlatformErrorTable(
                reading: .parse(Self.small.replacingOccurrences(of: old, with: new), file: "t.yaml"))
        }
        #expect(error?.message.contains(says) == true, "\(String(describing: error))")
        #expect(error?.line == line)
    }

    @Test(
        arguments: [
            ("{ C: text }", "there is no code C"), ("{ two: { A: text } }", "there is no layer two above this one"),
            ("{ A: [text] }", "expected text"),
        ])
    func mistakeInMessagesIsReported(messages: String, says: String) throws {
        let text = Self.small.replacingOccurrences(of: "codes: { A: 1", with: "messages: \(messages), codes: { A: 1")
        let error = #expect(throws: SourceError.self) { try PlatformErrorTable(reading: .parse(text, file: "t.yaml")) }
        #expect(error?.line == 3)
        #expect(error?.message.contains(says) == true, "\(String(describing: error))")
    }

    @Test func ownCellsReplaceInheritedOnes() throws {
        let table = try PlatformErrorTable(
            reading: .parse(
                Self.small
                    + "\n  second: { means: again, of: gate, same-as: first, faces: { one: { get: B, create: A } } }"
                    + "\n  third: { means: again, of: gate, same-as: first, faces: { one: [] } }"
                    + "\n  fourth: { means: again, of: gate, same-as: first, faces: {} }", file: "t.yaml"))
        let words = PlatformErrorVocabulary(platform: .ios, table: table)
        func told(_ cause: String) -> [String] {
            words.errors(of: Cause(cause)).map { $0.text + ($0.operation.map { " \($0)" } ?? "") }
        }
        #expect(told("first") == ["One 1 A"])
        #expect(Set(told("second")) == ["One 1 A create", "One 2 B get"])
        #expect(told("third") == [])
        #expect(told("fourth") == ["One 1 A"])
        #expect(words.errors(of: "second").first { $0.name == "B" }?.unverified == true)
    }
}
