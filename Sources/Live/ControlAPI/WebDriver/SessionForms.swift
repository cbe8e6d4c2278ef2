package import Documents
package import LoopbackHTTP

/// The forms of this program's additions to a browser's session of WebDriver.
package enum SessionForms {
    /// The user's part of each ceremony of the session.
    package static let answerNames = CeremonyAnswers.members.map(\.name)
    /// The PINs among them.
    package static let pinsName = CeremonyAnswers.pinsName
    /// Whether the user picks a suggested passkey at once.
    package static let autofillName = PageRequest.autofill.name

    private static let device = Schema.object(
        Schema.Members(members: ControlOperations.orderMembers + CeremonyAnswers.members + [PageRequest.autofill]))
    private static let pick = Schema.object(Schema.Members(members: CeremonyAnswers.members))

    /// Checks the value of the capability for a session's device, as an object.
    package static func checkDevice(_ value: JSONValue) throws(APIError) {
        try device.check(value, at: OwnNames.device)
    }

    /// Checks the body of the command with which the user picks a suggested passkey.
    package static func checkPick(_ value: JSONValue) throws(APIError) { try pick.check(value) }
}
