internal import Biometrics
internal import CTAP
internal import Causes

/// An enrolment under way (CTAP 2.3 §6.7.4).
struct PendingEnrolment: Sendable {
    let templateID: [UInt8]
    var remainingSamples: Int
}

extension VirtualAuthenticator {
    var bioEnrollmentConfiguration: ManagementConfiguration.BioEnrollment? {
        guard state.gate?.sensor(for: .fingerprint) != nil else { return nil }
        return configuration.management.bioEnrollment
    }

    /// authenticatorBioEnrollment (CTAP 2.3 §6.7): one subcommand.
    func bioEnrollment(
        _ request: BioEnrollmentRequest, _ bio: ManagementConfiguration.BioEnrollment, _ context: CommandContext
    ) async throws(Refusal) -> BioEnrollmentResponse {
        var response = BioEnrollmentResponse()
        if request.getModality == true {
            response.modality = BioEnrollmentRequest.fingerprint
            return response
        }
        let number = try context.require(request.subCommand, "subCommand")
        let modality = try context.require(request.modality, "modality")
        try require(
            modality == BioEnrollmentRequest.fingerprint, else: context.refusal(.invalidParameter, .modalityUnknown))
        guard let subcommand = BioEnrollmentSubcommand(rawValue: number) else {
            throw context.unknownSubcommand(number)
        }
        if subcommand != .getFingerprintSensorInfo, subcommand != .cancelCurrentEnrollment {
            try authorize(request, .bioEnrollment, context)
        }
        switch subcommand {
        case .getFingerprintSensorInfo:
            response.fingerprintKind = bio.kind.rawValue
            response.maxCaptureSamplesRequiredForEnroll = bio.samples
            response.maxTemplateFriendlyName = bio.maxFriendlyNameLength
        case .cancelCurrentEnrollment: state.session.enrolment = nil
        case .enrollBegin: return try await beginEnrolment(request, bio, context)
        case .enrollCaptureNextSample: return try await captureNextSample(request, context)
        case .enumerateEnrollments: response.templateInfos = try enrolledFingers(context)
        case .setFriendlyName: try setFriendlyName(request, bio, context)
        case .removeEnrollment:
            let id = try context.require(request.templateID, "templateId")
            try changeTemplate(context) { gate, now throws(GateError) in
                try gate.removeTemplate(id: id, on: .fingerprint, at: now)
            }
        }
        return response
    }

    private func enrolledFingers(_ context: CommandContext) throws(Refusal) -> [BioEnrollmentResponse.TemplateInfo] {
        let templates = state.gate?.sensor(for: .fingerprint)?.templates ?? []
        try require(!templates.isEmpty, else: context.refusal(.invalidOption, .nothingEnrolled))
        return templates.map { BioEnrollmentResponse.TemplateInfo(id: $0.id, friendlyName: $0.name) }
    }

    private func setFriendlyName(
        _ request: BioEnrollmentRequest, _ bio: ManagementConfiguration.BioEnrollment, _ context: CommandContext
    ) throws(Refusal) {
        let id = try context.require(request.templateID, "templateId")
        let name = try context.require(request.friendlyName, "templateFriendlyName")
        try require(
            name.utf8.count <= bio.maxFriendlyNameLength, else: context.refusal(.invalidLength, .friendlyNameTooLong))
        try changeTemplate(context) { gate, now throws(GateError) in
            try gate.rename(templateID: id, to: name, on: .fingerprint, at: now)
        }
    }

    private func changeTemplate(
        _ context: CommandContext, _ change: (inout UserVerificationGate, Duration) throws(GateError) -> GateEvent
    ) throws(Refusal) {
        guard var gate = state.gate else { return }
        do {
            let event = try change(&gate, now)
            record(.gate(event))
        } catch {
            switch error {
            case .storeFull: throw context.refusal(.fingerprintDatabaseFull, .storeFull)
            case .noSuchTemplate, .notEnrolled: throw context.refusal(.invalidOption, .templateUnknown)
            case .duplicateTemplate, .nameTaken, .sensorAbsent, .sensorUnavailable, .noDeviceCredential:
                throw context.refusal(.operationDenied, .sensorUnavailable, detail: error.description)
            }
        }
        state.gate = gate
    }
}

extension VirtualAuthenticator {
    /// enrollBegin: the first sample of a new finger (CTAP 2.3 §6.7.4).
    private func beginEnrolment(
        _ request: BioEnrollmentRequest, _ bio: ManagementConfiguration.BioEnrollment, _ context: CommandContext
    ) async throws(Refusal) -> BioEnrollmentResponse {
        guard let sensor = state.gate?.sensor(for: .fingerprint), sensor.availability == .present else {
            throw context.refusal(.operationDenied, .sensorUnavailable)
        }
        try require(
            sensor.templates.count < sensor.maxTemplates, else: context.refusal(.fingerprintDatabaseFull, .storeFull))
        // A new enrolment ends one that was left unfinished.
        state.session.enrolment = PendingEnrolment(
            templateID: unusedTemplateID(sensor), remainingSamples: max(1, bio.samples))
        var response = try await captureSample(request, context)
        response.templateID = state.session.enrolment?.templateID ?? response.templateID
        return response
    }

    /// enrollCaptureNextSample: the next sample of the finger being enrolled (CTAP 2.3 §6.7.4).
    private func captureNextSample(
        _ request: BioEnrollmentRequest, _ context: CommandContext
    ) async throws(Refusal) -> BioEnrollmentResponse {
        let id = try context.require(request.templateID, "templateId")
        try require(
            state.session.enrolment?.templateID == id, else: context.refusal(.invalidParameter, .noSuchEnrolment))
        return try await captureSample(request, context)
    }

    private func captureSample(
        _ request: BioEnrollmentRequest, _ context: CommandContext
    ) async throws(Refusal) -> BioEnrollmentResponse {
        guard let before = state.session.enrolment else { throw context.refusal(.invalidParameter, .noSuchEnrolment) }
        let timeout = request.timeoutMilliseconds.map { Duration.milliseconds(min($0, 600_000)) }
        let prompt = EnrolmentPrompt(
            remainingSamples: before.remainingSamples, deadline: now + (timeout ?? configuration.userActionTimeout))
        let status: EnrollSampleStatus
        do {
            status = try await waitForUser(context.request) { await environment.user.enrol(prompt) }
        } catch {
            // A cancelled capture ends the enrolment (CTAP 2.3 §6.7.4).
            state.session.enrolment = nil
            throw error
        }
        record(.enrolmentSample(status))
        guard var enrolment = state.session.enrolment else {
            throw context.refusal(.keepaliveCancel, .enrolmentCancelled)
        }
        var response = BioEnrollmentResponse()
        response.templateID = enrolment.templateID
        response.lastEnrollSampleStatus = status.rawValue
        if status == .good { enrolment.remainingSamples -= 1 }
        response.remainingSamples = enrolment.remainingSamples
        if enrolment.remainingSamples == 0 {
            state.session.enrolment = nil
            try changeTemplate(context) { gate, now throws(GateError) in
                try gate.enrol(BiometricTemplate(id: enrolment.templateID, name: ""), on: .fingerprint, at: now)
            }
        } else {
            state.session.enrolment = enrolment
        }
        return response
    }

    private func unusedTemplateID(_ sensor: BiometricSensor) -> [UInt8] {
        let used = Set(sensor.templates.map(\.id))
        for _ in 0..<64 {
            let candidate = environment.random.bytes(2)
            if !used.contains(candidate) { return candidate }
        }
        // A broken source of randomness: any free ID will do.
        return (0...UInt16.max).lazy.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }.first { !used.contains($0) } ?? []
    }
}
