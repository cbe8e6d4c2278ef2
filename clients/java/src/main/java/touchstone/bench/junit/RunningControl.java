package touchstone.bench.junit;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import touchstone.bench.ControlProcess;
import touchstone.bench.TouchstoneException;

/** The control API of the test run: one that runs already, or a program that ends with the run. */
final class RunningControl implements ExtensionContext.Store.CloseableResource {
    private final URI url;
    private final String token;
    private final ControlProcess process;

    private RunningControl(URI url, String token, ControlProcess process) {
        this.url = url;
        this.token = token;
        this.process = process;
    }

    /** The one of this test run, which the first caller starts. */
    static RunningControl of(ExtensionContext.Store run, ExtensionContext context) {
        return run.getOrComputeIfAbsent("control", name -> start(context), RunningControl.class);
    }

    private static RunningControl start(ExtensionContext context) {
        String url = setting(context, "touchstone.url", "TOUCHSTONE_URL");
        if (url == null) {
            ControlProcess process = ControlProcess.start(setting(context, "touchstone.program", "TOUCHSTONE"));
            return new RunningControl(process.url(), process.token(), process);
        }
        String token = setting(context, "touchstone.token", "TOUCHSTONE_TOKEN");
        if (token == null) {
            throw new TouchstoneException("The control API at " + url + " needs its token. Set TOUCHSTONE_TOKEN or touchstone.token.");
        }
        try {
            URI found = new URI(url);
            if (found.getHost() == null || !"http".equals(found.getScheme())) {
                throw new TouchstoneException(url + " is not the address of a control API. Write http://HOST:PORT.");
            }
            return new RunningControl(found, token, null);
        } catch (URISyntaxException error) {
            throw new TouchstoneException(url + " is not the address of a control API. Write http://HOST:PORT.", error);
        }
    }

    private static String setting(ExtensionContext context, String parameter, String variable) {
        Optional<String> given = context.getConfigurationParameter(parameter).filter(value -> !value.isBlank());
        String inherited = System.getenv(variable);
        return given.orElse(inherited == null || inherited.isBlank() ? null : inherited);
    }

    URI url() {
        return url;
    }

    String token() {
        return token;
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}
