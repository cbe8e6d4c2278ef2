internal import Biometrics
internal import CTAP
package import Documents
internal import Faults
internal import PlatformErrors
internal import VirtualAuthenticator

extension DeviceProfile {
    /// Reads a profile file, and those it extends.
    ///
    /// - Parameters:
    ///   - text: the YAML.
    ///   - file: its path, for errors.
    ///   - extendsByNameOnly: whether it may extend profiles of the program's library only, and read no other file.
    /// - Throws: ``SourceError`` with the line and what was expected there.
    package init(parsing text: String, file: String, extendsByNameOnly: Bool = false) throws(SourceError) {
        let lineage = try ProfileLineage(parsing: text, file: file, extendsByNameOnly: extendsByNameOnly)
        let fields = try lineage.root.fields([
            "name", "title", "summary", "extends", "kind", "platform", "hardware", "usb", "authenticator", "sensor",
            "sensors", "device-credential", "lockout", "faces", "faults", "unverified", "sources",
        ])
        bases = lineage.bases
        self.text = try lineage.bases.isEmpty ? text : lineage.root.text()
        name = try fields.required("name").string()
        title = try fields.required("title").singleLine()
        summary = try fields["summary"]?.string() ?? ""
        platform = try fields.required("platform").choice(Platform.self)
        kind = try fields["kind"]?.choice(DeviceKind.self) ?? DeviceKind(of: platform)
        platformErrors = try PlatformErrorVocabulary(reading: fields["faces"], platform: platform)
        hardware = try fields["hardware"].map { value throws(SourceError) in try Self.hardware(value) }
        usb = try fields["usb"].map { value throws(SourceError) in try USBIdentity(reading: value) }
        authenticator = try AuthenticatorConfiguration(reading: fields.required("authenticator"))
        sensors = try BiometricSensor.all(fields)
        let credential = try fields["device-credential"].map { value throws(SourceError) in
            try ProfileCredential(reading: value)
        }
        deviceCredential = credential?.kind
        lockout = try fields["lockout"].map { value throws(SourceError) in
            try GatePolicy(reading: value).withCredentialLockout(credential?.lockout)
        }
        faults = try Self.faults(fields["faults"])
        unverified = try fields["unverified"]?.strings() ?? []
        sources = try fields["sources"]?.strings() ?? []
        try checkConsistency(fields)
        try lineage.root.checkDoubts(fields["unverified"])
    }

    /// The name of a file in `hardware/keys/`, which must not lead out of there.
    private static func hardware(_ value: YAMLValue) throws(SourceError) -> String {
        let name = try value.singleLine()
        guard !name.contains("/"), !name.hasPrefix(".") else {
            throw value.error("expected a name in hardware/keys, found \"\(name)\"")
        }
        return name
    }

    private static func faults(_ value: YAMLValue?) throws(SourceError) -> [Fault] {
        guard let value else { return [] }
        var faults: [Fault] = []
        for item in try value.items() {
            do {
                faults.append(try Fault(parsing: try item.string()))
            } catch let error as FaultSyntaxError {
                throw item.error(error.description)
            } catch let error as SourceError {
                throw error
            } catch {
                throw item.error("\(error)")
            }
        }
        return faults
    }

    private var hasUserVerification: Bool {
        authenticator.supportsClientPIN || !sensors.isEmpty || deviceCredential != nil
    }

    /// What no single setting shows to be wrong.
    private func checkConsistency(_ fields: YAMLFields) throws(SourceError) {
        if !sensors.isEmpty, lockout == nil {
            throw fields.owner.error("a device with a sensor needs a lockout section that says how attempts count")
        }
        if let value = fields["lockout"], sensors.isEmpty, deviceCredential == nil {
            throw value.error("there is neither a sensor nor a device credential to lock")
        }
        if deviceCredential != nil, lockout == nil, let value = fields["device-credential"] {
            throw value.error("a device credential needs a lockout section")
        }
        if lockout?.requiresAttention == true, !sensors.contains(where: { $0.modality == .face }) {
            throw (fields["lockout"]?.written(under: "attention") ?? fields.owner).error(
                "there is no face sensor that could look for it")
        }
        try checkPlatformErrors(fields["faces"])
        let value = try fields.required("authenticator")
        if let usb = fields["usb"], !authenticator.transports.contains("usb") {
            throw usb.error("authenticator.transports does not list usb")
        }
        if authenticator.isBackedUp, !authenticator.isBackupEligible {
            throw value.error("backup.state is true, but backup.eligible is not (WebAuthn L3 §6.1.3)")
        }
        if !authenticator.supportsClientPIN, authenticator.refusesPINForCredentials {
            throw value.error("no-pin-for-credentials means nothing without client-pin")
        }
        if let problem = authenticator.versionProblem(hasUserVerification: hasUserVerification) {
            throw (try value.entries().first { $0.key == "versions" }?.value ?? value).error(problem)
        }
        if authenticator.management.bioEnrollment != nil, !sensors.contains(where: { $0.modality == .fingerprint }) {
            throw value.error("management.bio-enrollment needs a fingerprint sensor")
        }
    }
    /// A choice among the words of another platform would change nothing.
    private func checkPlatformErrors(_ value: YAMLValue?) throws(SourceError) {
        let settings = platformErrors.settings
        for (setting, choice) in try value?.entries() ?? [] where !choice.isEmpty && !settings.contains(setting) {
            throw choice.error(
                "makes no difference on \(platform.displayName)"
                    + (settings.isEmpty ? "" : "; what does: \(settings.sorted().joined(separator: ", "))"))
        }
    }
}

extension YAMLValue {
    /// Makes sure that each path of a profile's doubts leads to something it says.
    fileprivate func checkDoubts(_ doubts: YAMLValue?) throws(SourceError) {
        for doubt in try doubts?.items() ?? [] {
            let path = try doubt.string()
            var place: YAMLValue? = self
            for key in path.split(separator: ".", omittingEmptySubsequences: false) {
                place = place?.written(under: String(key))
            }
            guard place != nil else { throw doubt.error("this profile has nothing at \"\(path)\"") }
        }
    }
}
