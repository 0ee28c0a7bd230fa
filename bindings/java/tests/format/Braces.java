// Names each statement under an if, else, for, while or do that has no braces. SPDX-License-Identifier: Apache-2.0
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.DoWhileLoopTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

final class Braces extends TreeScanner<Void, CompilationUnitTree> {
    private final Trees trees;
    private int found;

    private Braces(Trees trees) {
        this.trees = trees;
    }

    private void require(StatementTree body, CompilationUnitTree unit) {
        if (body != null && !(body instanceof BlockTree)) {
            found++;
            long at = trees.getSourcePositions().getStartPosition(unit, body);
            System.out.println(unit.getSourceFile().getName() + ":"
                    + unit.getLineMap().getLineNumber(at) + ": no braces around this statement");
        }
    }

    @Override
    public Void scan(Tree tree, CompilationUnitTree unit) {
        if (tree instanceof IfTree choice) {
            require(choice.getThenStatement(), unit);
            if (!(choice.getElseStatement() instanceof IfTree)) {
                require(choice.getElseStatement(), unit);
            }
        } else if (tree instanceof ForLoopTree loop) {
            require(loop.getStatement(), unit);
        } else if (tree instanceof EnhancedForLoopTree loop) {
            require(loop.getStatement(), unit);
        } else if (tree instanceof WhileLoopTree loop) {
            require(loop.getStatement(), unit);
        } else if (tree instanceof DoWhileLoopTree loop) {
            require(loop.getStatement(), unit);
        }
        return super.scan(tree, unit);
    }

    /** Reads the files, and fails if there is such a statement. */
    public static void main(String[] files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            var sources = manager.getJavaFileObjects(
                    Arrays.stream(files).map(Path::of).toArray(Path[]::new));
            JavacTask task = (JavacTask) compiler.getTask(null, manager, null, null, null, sources);
            Braces braces = new Braces(Trees.instance(task));
            for (CompilationUnitTree unit : task.parse()) {
                braces.scan(unit, unit);
            }
            System.exit(braces.found > 0 ? 1 : 0);
        }
    }
}
