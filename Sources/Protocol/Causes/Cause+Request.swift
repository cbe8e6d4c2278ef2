/// The reasons why a request is malformed.
extension Cause {
    /// A parameter has the wrong type.
    public static let unexpectedType = Cause("unexpectedType")
    /// A required parameter is missing.
    public static let missingParameter = Cause("missingParameter")
    /// A parameter that the subcommand requires is missing.
    public static let parameterMissing = Cause("parameterMissing")
    /// A parameter is out of range.
    public static let outOfRange = Cause("outOfRange")
    /// The message is empty.
    public static let messageEmpty = Cause("empty")
    /// The message is longer than the device accepts.
    public static let messageTooLarge = Cause("tooLarge")
    /// The device does not have the command.
    public static let unknownCommand = Cause("unknownCommand")
    /// The device does not have the subcommand.
    public static let unknownSubcommand = Cause("unknownSubcommand")
    /// The device's state could not be written.
    public static let writeFailed = Cause("writeFailed")
}

/// The reasons why authenticatorConfig or authenticatorBioEnrollment fails.
extension Cause {
    /// The vendor command does not exist.
    public static let vendorCommandUnknown = Cause("vendorCommandUnknown")
    /// The device cannot change its minimum PIN length.
    public static let minPINLengthUnsupported = Cause("minPinLengthUnsupported")
    /// The minimum PIN length is out of range.
    public static let minPINLengthOutOfRange = Cause("minPINLengthOutOfRange")
    /// A forced PIN change was requested, but no PIN is set.
    public static let forceChangeWithoutPIN = Cause("forceChangeWithoutPIN")
    /// More relying parties were named than the device can keep.
    public static let tooManyRelyingParties = Cause("tooManyRelyingParties")
    /// The device does not support a PIN complexity policy.
    public static let pinComplexityPolicyUnsupported = Cause("pinComplexityPolicyUnsupported")
    /// The modality does not exist.
    public static let modalityUnknown = Cause("modalityUnknown")
    /// No template is enrolled.
    public static let nothingEnrolled = Cause("nothingEnrolled")
    /// No enrolment with this template ID is in progress.
    public static let noSuchEnrolment = Cause("noSuchEnrolment")
    /// The enrolment was cancelled.
    public static let enrolmentCancelled = Cause("enrolmentCancelled")
    /// The template's friendly name is too long.
    public static let friendlyNameTooLong = Cause("friendlyNameTooLong")
}

/// The reasons why authenticatorLargeBlobs fails.
extension Cause {
    /// The request contains neither or both of `get` and `set`.
    public static let neitherOrBothOfGetAndSet = Cause("neitherOrBothOfGetAndSet")
    /// The offset is missing.
    public static let offsetMissing = Cause("offsetMissing")
    /// The offset is beyond the end of the array.
    public static let offsetBeyondEnd = Cause("offsetBeyondEnd")
    /// The offset does not continue the previous fragment.
    public static let offsetNotNext = Cause("offsetNotNext")
    /// The fragment is longer than the device accepts.
    public static let fragmentTooLong = Cause("fragmentTooLong")
    /// The total length is missing from the first fragment.
    public static let lengthMissing = Cause("lengthMissing")
    /// The total length is smaller than an empty array's.
    public static let lengthTooSmall = Cause("lengthTooSmall")
    /// A read contains a length.
    public static let lengthWithGet = Cause("lengthWithGet")
    /// A fragment after the first one contains the total length.
    public static let lengthAfterFirstFragment = Cause("lengthAfterFirstFragment")
    /// The fragments are longer than the announced length.
    public static let moreThanLength = Cause("moreThanLength")
    /// A read contains a pinUvAuthParam.
    public static let pinUvAuthWithGet = Cause("pinUvAuthWithGet")
    /// No space is left for the large-blob array.
    public static let storageFull = Cause("storageFull")
    /// The checksum of the large-blob array is wrong.
    public static let checksumWrong = Cause("checksumWrong")
}
