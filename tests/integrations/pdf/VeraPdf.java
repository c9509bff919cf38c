import java.io.File;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.logging.LogManager;
import javax.xml.parsers.DocumentBuilderFactory;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;
import org.verapdf.pdfa.validation.profiles.Profiles;
import org.verapdf.pdfa.validation.profiles.Rule;
import org.verapdf.pdfa.validation.profiles.RuleId;
import org.verapdf.pdfa.validation.profiles.ValidationProfile;
import org.verapdf.pdfa.validation.profiles.Variable;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Checks PDFs against a profile of PDF/A and PDF/UA-1 with veraPDF: `VeraPdf 2a FILE...`.
 *
 * Prints for each file and profile its name, the profile and the number of checks, and then each failed check, with tabs
 * between. It reads veraPDF's profiles itself, because veraPDF needs a library for that which the archive lacks.
 */
public class VeraPdf {
    public static void main(String[] arguments) throws Exception {
        LogManager.getLogManager().reset();
        VeraGreenfieldFoundryProvider.initialise();
        PDFAFlavour archival = PDFAFlavour.byFlavourId(arguments[0]);
        List<ValidationProfile> profiles = List.of(
            profile("PDFA-" + arguments[0].toUpperCase() + ".xml", archival),
            profile("PDFUA-1.xml", PDFAFlavour.PDFUA_1));
        for (String file : List.of(arguments).subList(1, arguments.length)) {
            for (ValidationProfile profile : profiles) {
                check(new File(file), profile);
            }
        }
    }

    private static void check(File file, ValidationProfile profile) throws Exception {
        PDFAFlavour flavour = profile.getPDFAFlavour();
        try (PDFAParser parser = Foundries.defaultInstance().createParser(file, flavour)) {
            ValidationResult result = Foundries.defaultInstance().createValidator(profile, false).validate(parser);
            System.out.println(file.getName() + "\t" + flavour + "\t" + result.getTotalAssertions());
            for (TestAssertion check : result.getTestAssertions()) {
                if (check.getStatus() != TestAssertion.Status.PASSED) {
                    RuleId rule = check.getRuleId();
                    String text = rule.getClause() + "-" + rule.getTestNumber() + " " + check.getMessage();
                    System.out.println(file.getName() + "\t" + flavour + "\tfailed\t" + text);
                }
            }
        }
    }

    private static ValidationProfile profile(String name, PDFAFlavour flavour) throws Exception {
        Element root;
        try (InputStream xml = Foundries.class.getResourceAsStream("/org/verapdf/pdfa/validation/" + name)) {
            root = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(xml).getDocumentElement();
        }
        Set<Rule> rules = new LinkedHashSet<>();
        for (Element rule : elements(root, "rule")) {
            rules.add(rule(rule));
        }
        Set<Variable> variables = new LinkedHashSet<>();
        for (Element variable : elements(root, "variable")) {
            variables.add(Profiles.variableFromValues(
                variable.getAttribute("name"), variable.getAttribute("object"),
                text(variable, "defaultValue"), text(variable, "value")));
        }
        return Profiles.profileFromValues(
            flavour, Profiles.profileDetailsFromValues(name, name, "", new Date()), "", rules, variables);
    }

    private static Rule rule(Element rule) {
        Element id = elements(rule, "id").get(0);
        RuleId ruleId = Profiles.ruleIdFromValues(
            PDFAFlavour.Specification.valueOf(id.getAttribute("specification")),
            id.getAttribute("clause"), Integer.parseInt(id.getAttribute("testNumber")));
        Boolean deferred = rule.hasAttribute("deferred") ? Boolean.valueOf(rule.getAttribute("deferred")) : null;
        return Profiles.ruleFromValues(
            ruleId, rule.getAttribute("object"), deferred, rule.getAttribute("tags"), text(rule, "description"),
            text(rule, "test"), Profiles.errorFromValues(text(rule, "message"), List.of()), List.of());
    }

    private static List<Element> elements(Element parent, String name) {
        NodeList found = parent.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int at = 0; at < found.getLength(); at++) {
            elements.add((Element) found.item(at));
        }
        return elements;
    }

    private static String text(Element parent, String name) {
        return elements(parent, name).get(0).getTextContent();
    }
}
