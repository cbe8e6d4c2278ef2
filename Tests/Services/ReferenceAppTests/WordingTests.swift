import Testing

@testable import ReferenceApp

/// The texts that the user reads.
struct WordingTests {
    static let required: [(AppMessage, String)] = [
        (.loginCancelled(.bankID), "BankID login was cancelled"),
        (
            .providerUnavailable(.bankID),
            "BankID is temporarily unavailable. Try Vipps instead or retry later"
        ),
        (.loginFailed, "Login failed — please try again"),
        (.sessionExpired, "Your session has expired — please log in again"),
        (.biometricsOn, "Face ID enabled"),
    ]

    @Test(arguments: required)
    func theRequiredTextIsShown(message: AppMessage, text: String) {
        #expect(message.text(.faceID) == text)
    }

    @Test(arguments: AppMessage.samples)
    func aMessageIsShortAndAlarmsNoOne(message: AppMessage) {
        for sensor in SensorName.allCases {
            let text = message.text(sensor)
            let words = text.split { !$0.isLetter }.map { $0.lowercased() }
            for alarming in ["error", "fatal", "invalid", "illegal", "denied", "forbidden", "violation", "exception"] {
                #expect(!words.contains(alarming), "\(text)")
            }
            // A sentence of at most twenty words is read at first sight.
            for sentence in text.split(whereSeparator: { ".?".contains($0) }) {
                #expect(sentence.split(separator: " ").count <= 20, "\(text)")
            }
            #expect(!text.contains("!"), "\(text)")
        }
    }

    @Test func everyMessageHasASample() {
        #expect(Set(AppMessage.samples).count == AppMessage.samples.count)
        #expect(AppMessage.samples.count >= 40)
    }

    @Test func theNounIsPasskey() {
        let texts = AppMessage.samples.map { $0.text(.faceID) } + AppButton.allCases.map(\.rawValue)
        for text in texts where text.lowercased().contains("passkey") {
            #expect(!text.contains("Passkey") || text.hasPrefix("Passkey"), "\(text)")
            #expect(!text.lowercased().contains("pass key"), "\(text)")
        }
    }
}
