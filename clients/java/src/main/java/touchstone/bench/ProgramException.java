package touchstone.bench;

/** The program {@code touchstone} was not found, or its control API did not start. */
public final class ProgramException extends TouchstoneException {
    private static final long serialVersionUID = 1L;

    ProgramException(String message) {
        super(message);
    }
}
