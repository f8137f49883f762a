package org.meshbook.kernel.maven;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.ErrorHandler;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/// Small XML files; nothing outside them is read.
final class Xml {
    private Xml() {}

    /// @param text a document
    /// @param name what the error calls it
    /// @return its root
    /// @throws MavenFailure if it is broken
    static Element parse(String text, String name) {
        try {
            var factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setExpandEntityReferences(false);
            factory.setNamespaceAware(true);
            var builder = factory.newDocumentBuilder();
            builder.setErrorHandler(new Quiet());
            return builder.parse(new InputSource(new StringReader(text))).getDocumentElement();
        } catch (SAXParseException e) {
            throw new MavenFailure(
                    "%s is broken XML at line %d, column %d: %s"
                            .formatted(
                                    name, e.getLineNumber(), e.getColumnNumber(), e.getMessage()),
                    e);
        } catch (SAXException | IOException e) {
            throw new MavenFailure("%s is broken XML: %s".formatted(name, e.getMessage()), e);
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("this JDK has no XML parser", e);
        }
    }

    /// @return the first child of that name
    static Optional<Element> child(Element parent, String name) {
        return children(parent).stream().filter(c -> c.getLocalName().equals(name)).findFirst();
    }

    /// @return the children of that name of the child that holds them
    static List<Element> children(Element parent, String holder, String name) {
        return child(parent, holder).stream()
                .flatMap(held -> children(held).stream())
                .filter(c -> c.getLocalName().equals(name))
                .toList();
    }

    static List<Element> children(Element parent) {
        var found = new ArrayList<Element>();
        for (var node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element) {
                found.add(element);
            }
        }
        return found;
    }

    /// The exceptions say it all; the parser's own habit is to print.
    private static final class Quiet implements ErrorHandler {
        @Override
        public void warning(SAXParseException e) {}

        @Override
        public void error(SAXParseException e) {}

        @Override
        public void fatalError(SAXParseException e) throws SAXException {
            throw e;
        }
    }
}
