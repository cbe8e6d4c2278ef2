package touchstone.bench;

import java.util.List;
import touchstone.bench.models.Face;

/** Checks of an act's outcome; {@code Outcome} has them. */
public interface OutcomeChecks {
    /** Whether the act was done. */
    boolean done();

    /** The cause of a refusal, such as {@code lockedOut.timed}; null for an act that was done or that changed nothing. */
    String cause();

    /** The reason why the act changed nothing. */
    String explanation();

    /** The errors that an app gets from its platform and from SDKs for a refusal; null without one. */
    List<Face> faces();

    /** Throws {@code AssertionError} with the device's reason unless the act was done. */
    default void assertDone() {
        if (!done()) {
            throw new AssertionError(found());
        }
    }

    /** Throws {@code AssertionError} unless the device refused the act with this cause. */
    default void assertRefused(String expected) {
        if (done() || !expected.equals(cause())) {
            throw new AssertionError(found() + "; expected a refusal: " + expected);
        }
    }

    private String found() {
        if (done()) {
            return "The act was done";
        }
        if (cause() == null) {
            return "The act changed nothing: " + explanation();
        }
        StringBuilder text = new StringBuilder("The act was refused: ").append(cause());
        for (Face face : faces() == null ? List.<Face>of() : faces()) {
            text.append(", ").append(face.text());
        }
        return text.toString();
    }
}
