package touchstone.bench;

import java.util.List;
import touchstone.bench.models.CeremonyFailure;
import touchstone.bench.models.Face;

/** A ceremony failed. The page gets {@link #name()}; the page does not receive the other values, which give the reason. */
public final class CeremonyException extends TouchstoneException {
    private static final long serialVersionUID = 1L;
    private final transient CeremonyFailure failure;

    CeremonyException(CeremonyFailure failure) {
        super(described(failure.error()));
        this.failure = failure;
    }

    private static String described(CeremonyFailure.Error error) {
        String reason = error.deviceReason() == null ? "" : ", " + error.deviceReason();
        return error.name() + ": " + error.cause() + reason + " (" + error.clause() + ")";
    }

    /** The name of the page's error, such as {@code NotAllowedError}. */
    public String name() {
        return failure.error().name();
    }

    /** A word of scenarios, such as {@code userCancelled}. */
    public String reason() {
        return failure.error().cause();
    }

    /** The device's reason; null for a failure of the client. */
    public String deviceReason() {
        return failure.error().deviceReason();
    }

    /** The errors that an app gets from its platform and from SDKs. */
    public List<Face> faces() {
        return failure.faces();
    }

    /** The answer of the control API. */
    public CeremonyFailure failure() {
        return failure;
    }
}
