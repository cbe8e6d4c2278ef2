/// The platform's side of authenticatorBioEnrollment: the enrolled fingers of a device (CTAP 2.3 §6.7).
public struct BioEnrollmentClient: Sendable {
    private let client: AuthenticatorClient
    private let token: PINClient.Token?
    private let usesPreview: Bool

    /// A client with a token of the `be` permission; only ``sensorInfo()`` and ``cancel()`` go without.
    ///
    /// `usesPreview` is for a device that knows the command by its preview's byte alone.
    public init(_ client: AuthenticatorClient, token: PINClient.Token? = nil, usesPreview: Bool = false) {
        self.client = client
        self.token = token
        self.usesPreview = usesPreview
    }

    /// A sensor's properties.
    public struct SensorInfo: Hashable, Sendable {
        /// The kind of the sensor; nil for an unspecified one.
        public let kind: FingerprintKind?
        /// The maximum number of good samples for a finger.
        public let maximumSamples: Int?
        /// The longest name of a finger, in bytes of UTF-8.
        public let maximumNameLength: Int?

        /// A sensor's properties; nil for each property that the device does not report.
        public init(kind: FingerprintKind?, maximumSamples: Int?, maximumNameLength: Int?) {
            self.kind = kind
            self.maximumSamples = maximumSamples
            self.maximumNameLength = maximumNameLength
        }
    }

    /// One sample of a finger that is being enrolled.
    public struct Sample: Hashable, Sendable {
        /// The enrolment it belongs to.
        public let templateID: [UInt8]
        /// The sensor's status; nil for one no specification names.
        public let status: EnrollSampleStatus?
        /// The number of good samples still needed.
        public let remaining: Int
    }

    /// getFingerprintSensorInfo.
    public func sensorInfo() async throws(AuthenticatorClient.Failure) -> SensorInfo {
        let response = try await client.bioEnrollment(
            BioEnrollmentRequest(subCommand: .getFingerprintSensorInfo), preview: usesPreview)
        return SensorInfo(
            kind: response.fingerprintKind.flatMap(FingerprintKind.init(rawValue:)),
            maximumSamples: response.maxCaptureSamplesRequiredForEnroll,
            maximumNameLength: response.maxTemplateFriendlyName)
    }

    /// Enrols a finger: enrollBegin, then enrollCaptureNextSample until none is missing.
    ///
    /// - Parameters:
    ///   - timeoutMilliseconds: how long the sensor waits for each sample; nil leaves it to the device.
    ///   - onSample: receives each sample; false cancels the enrolment.
    /// - Returns: the template's ID; nil when the enrolment was cancelled.
    public func enroll(
        timeoutMilliseconds: UInt32? = nil, onSample: (Sample) async -> Bool = { _ in true }
    ) async throws(AuthenticatorClient.Failure) -> [UInt8]? {
        var begin = BioEnrollmentRequest(subCommand: .enrollBegin)
        begin.timeoutMilliseconds = timeoutMilliseconds.map { Int($0) }
        let first = try await send(begin)
        guard let templateID = first.templateID else { throw .invalidResponse(.bioEnrollment, "it names no template") }
        var response = first
        while true {
            let sample = Sample(
                templateID: templateID,
                status: response.lastEnrollSampleStatus.flatMap(EnrollSampleStatus.init(rawValue:)),
                remaining: response.remainingSamples ?? 0)
            let goesOn = await onSample(sample)
            if sample.remaining == 0 { return templateID }
            guard goesOn else {
                try await cancel()
                return nil
            }
            var next = BioEnrollmentRequest(subCommand: .enrollCaptureNextSample)
            next.templateID = templateID
            next.timeoutMilliseconds = begin.timeoutMilliseconds
            response = try await send(next)
        }
    }

    /// cancelCurrentEnrollment.
    public func cancel() async throws(AuthenticatorClient.Failure) {
        _ = try await client.bioEnrollment(
            BioEnrollmentRequest(subCommand: .cancelCurrentEnrollment), preview: usesPreview)
    }

    /// The enrolled fingers, by enumerateEnrollments; empty when no finger is enrolled.
    public func enrollments() async throws(AuthenticatorClient.Failure) -> [BioEnrollmentResponse.TemplateInfo] {
        do {
            return try await send(BioEnrollmentRequest(subCommand: .enumerateEnrollments)).templateInfos ?? []
        } catch {
            guard error.status == .invalidOption else { throw error }
            return []
        }
    }

    /// setFriendlyName.
    public func rename(_ templateID: [UInt8], to name: String) async throws(AuthenticatorClient.Failure) {
        var request = BioEnrollmentRequest(subCommand: .setFriendlyName)
        request.templateID = templateID
        request.friendlyName = name
        _ = try await send(request)
    }

    /// removeEnrollment.
    public func remove(_ templateID: [UInt8]) async throws(AuthenticatorClient.Failure) {
        var request = BioEnrollmentRequest(subCommand: .removeEnrollment)
        request.templateID = templateID
        _ = try await send(request)
    }

    private func send(
        _ request: BioEnrollmentRequest
    ) async throws(AuthenticatorClient.Failure) -> BioEnrollmentResponse {
        try await client.bioEnrollment(request.authenticated(by: token), preview: usesPreview)
    }
}
