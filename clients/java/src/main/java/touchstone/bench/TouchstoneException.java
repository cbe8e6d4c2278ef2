package touchstone.bench;

/** The base of this package's exceptions. */
public class TouchstoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TouchstoneException(String message) {
        super(message);
    }

    public TouchstoneException(String message, Throwable cause) {
        super(message, cause);
    }
}
